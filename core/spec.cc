#include "tamis/spec.h"

#include <array>

#include "tamis/schemes.h"

namespace tamis {

namespace {

constexpr std::array kVariants = {Variant::kSplitBlock, Variant::kSplitBlock512, Variant::kClassic,
                                  Variant::kCacheLine, Variant::kRegisterBlocked};
static_assert(kVariants.size() == kVariantCount);

void Append(std::string& list, std::string_view name) {
  if (!list.empty()) list += ", ";
  list += name;
}

[[noreturn]] void RefuseName(std::string_view what, std::string_view name,
                             const std::string& valid) {
  throw InvalidArgument("unknown " + std::string(what) + " '" + std::string(name) +
                        "': valid are " + valid);
}

void RequireRange(std::string_view what, uint64_t value, uint64_t least, uint64_t most) {
  if (value >= least && value <= most) return;
  throw InvalidArgument(std::string(what) + " " + std::to_string(value) + ": it must be " +
                        std::to_string(least) + " to " + std::to_string(most));
}

void RequireBlocks(const Spec& spec, uint64_t most) {
  if (spec.blocks >= 1 && spec.blocks <= most) return;
  throw InvalidArgument("a filter of " + std::to_string(spec.blocks) + " blocks: " +
                        std::string(NameOf(spec.variant)) + " has 1 to " + std::to_string(most));
}

void ValidateHash(const Spec& spec) {
  VisitHash(spec.hash, [&]<class H>(H) {
    const std::string name(H::kName);
    if (!H::kSeeded && spec.seed != 0) {
      throw InvalidArgument("seed " + std::to_string(spec.seed) + ": " + name + " takes none");
    }
    if (spec.hash == HashScheme::kMurmur3X64128 || spec.hash == HashScheme::kSparkMurmur3)
      RequireRange(name + " seed", spec.seed, 0, UINT32_MAX);
    if (!H::kKeyed && spec.secret != Secret{}) throw InvalidArgument(name + " takes no secret key");
    if (H::kKeyed && spec.secret == Secret{}) throw InvalidArgument(name + " needs a secret key");
    if (H::kWords < spec.hash_words()) {
      throw InvalidArgument("probe scheme " + std::string(NameOf(spec.probe)) + " takes " +
                            std::to_string(spec.hash_words()) + " words of hash: " + name +
                            " gives " + std::to_string(H::kWords));
    }
  });
}

}  // namespace

std::span<const Variant> AllVariants() { return kVariants; }

std::string_view NameOf(Variant variant) {
  return VisitVariant(variant, []<typename V>(V) { return V::kName; });
}

std::string_view NameOf(HashScheme hash) {
  std::string_view name;
  VisitHash(hash, [&]<class H>(H) { name = H::kName; });
  return name;
}

std::string_view NameOf(ProbeScheme probe) {
  std::string_view name = "none";
  if (probe != ProbeScheme::kNone) VisitProbe(probe, [&]<class P>(P) { name = P::kName; });
  return name;
}

Variant VariantFromName(std::string_view name) {
  std::string valid;
  for (const Variant variant : kVariants) {
    if (NameOf(variant) == name) return variant;
    Append(valid, NameOf(variant));
  }
  RefuseName("variant", name, valid);
}

HashScheme HashFromName(std::string_view name) {
  std::string valid;
  uint32_t found = 0;
  HashSchemes::ForEach([&]<class H>(H) {
    if (H::kName == name) found = H::kId;
    Append(valid, H::kName);
  });
  if (found == 0) RefuseName("hash scheme", name, valid);
  return static_cast<HashScheme>(found);
}

Secret Secret::FromBytes(std::string_view bytes) {
  if (bytes.size() != 16) {
    throw InvalidArgument("a secret key of " + std::to_string(bytes.size()) +
                          " bytes: it must have 16");
  }
  return {{LoadBytes(bytes.data(), 8), LoadBytes(bytes.data() + 8, 8)}};
}

uint64_t Secret::Check() const {
  uint64_t check = 0;
  SipHash24::Of("tamis: check of a secret key", {.secret = {words[0], words[1]}}, 1, &check);
  return check == 0 ? 1 : check;
}

int Spec::hash_words() const {
  int words = 1;
  if (classic()) VisitProbe(probe, [&]<class P>(P) { words = P::kWords; });
  return words;
}

void Validate(const Spec& spec) {
  VisitVariant(spec.variant, [&]<typename V>(V) {
    RequireRange(std::string(V::kName) + ": k", static_cast<uint64_t>(spec.k), V::kMinK, V::kMaxK);
    if constexpr (V::kBlocked) {
      RequireBlocks(spec, kMaxBlocks);
      if (spec.m != 0 || spec.probe != ProbeScheme::kNone) {
        throw InvalidArgument(std::string(V::kName) + " takes neither m nor a probe scheme");
      }
    } else {
      RequireRange(std::string(V::kName) + ": m", spec.m, 1, kMaxClassicBits);
      RequireBlocks(spec, 1);
    }
  });
  ValidateHash(spec);
}

std::string ToString(const Spec& spec) {
  std::string text(NameOf(spec.variant));
  text += ", ";
  text += NameOf(spec.hash);
  if (spec.secret != Secret{}) text += " with a secret key";
  text += " seed " + std::to_string(spec.seed) + ", ";
  if (spec.classic()) {
    text.append(NameOf(spec.probe)).append(", ");
    text += std::to_string(spec.m) + " bits";
  } else {
    text += std::to_string(spec.blocks) + " blocks";
  }
  if (spec.k != kBlockWords || spec.classic()) text += ", k " + std::to_string(spec.k);
  return text + " (" + std::to_string(spec.bytes()) + " bytes)";
}

void RequireEqual(const Spec& a, const Spec& b, std::string_view action) {
  if (a == b) return;
  throw SpecMismatch("cannot " + std::string(action) + " filters of unequal meaning: [" +
                     ToString(a) + "] and [" + ToString(b) + "]" +
                     (a.secret == b.secret ? "" : ": their secret keys differ"));
}

}  // namespace tamis
