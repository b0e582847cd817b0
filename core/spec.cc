#include "tamis/spec.h"

#include <array>

namespace tamis {

namespace {

constexpr std::array kVariants = {Variant::kSplitBlock, Variant::kSplitBlock512};
static_assert(kVariants.size() == kVariantCount);

}  // namespace

std::span<const Variant> AllVariants() { return kVariants; }

std::string_view NameOf(Variant variant) {
  return VisitVariant(variant, []<typename V>(V) { return V::kName; });
}

std::string_view NameOf(HashScheme hash) {
  switch (hash) {
    case HashScheme::kXxh64:
      return "xxh64";
  }
  throw InvalidArgument("unknown hash scheme " + std::to_string(static_cast<uint32_t>(hash)));
}

Variant VariantFromName(std::string_view name) {
  std::string valid;
  for (const Variant variant : kVariants) {
    if (NameOf(variant) == name) return variant;
    if (!valid.empty()) valid += ", ";
    valid += NameOf(variant);
  }
  throw InvalidArgument("unknown variant '" + std::string(name) + "': valid are " + valid);
}

void Validate(const Spec& spec) {
  NameOf(spec.variant);
  NameOf(spec.hash);
  if (spec.blocks == 0 || spec.blocks > kMaxBlocks) {
    throw InvalidArgument("a filter of " + std::to_string(spec.blocks) +
                          " blocks: it must have 1 to " + std::to_string(kMaxBlocks));
  }
}

std::string ToString(const Spec& spec) {
  std::string text(NameOf(spec.variant));
  text += ", ";
  text += NameOf(spec.hash);
  text += " seed " + std::to_string(spec.seed) + ", " + std::to_string(spec.blocks) + " blocks (" +
          std::to_string(spec.bytes()) + " bytes)";
  return text;
}

void RequireEqual(const Spec& a, const Spec& b, std::string_view action) {
  if (a == b) return;
  throw SpecMismatch("cannot " + std::string(action) + " filters of unequal meaning: [" +
                     ToString(a) + "] and [" + ToString(b) + "]");
}

}  // namespace tamis
