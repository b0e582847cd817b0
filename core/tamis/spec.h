// A Spec is all that fixes the meaning of a filter's bits. Two filters can be merged, compared or
// swapped for each other exactly when their Specs are equal.
#ifndef TAMIS_SPEC_H_
#define TAMIS_SPEC_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tamis/bits.h"
#include "tamis/error.h"
#include "tamis/variants/split_block.h"
#include "tamis/variants/split_block_512.h"

namespace tamis {

/// Layout of the bits. Values are those in files.
enum class Variant : uint32_t {
  kSplitBlock = SplitBlock::kId,
  kSplitBlock512 = SplitBlock512::kId,
};

/// Number of variants; their ids are 1 to kVariantCount.
inline constexpr int kVariantCount = 2;

/// How a key's bytes become 64 bits. Values are those in files.
enum class HashScheme : uint32_t {
  kXxh64 =
      1,  ///< XXH64 of the key's bytes with the Spec's seed; u64 keys are 8 bytes, little-endian
};

/// Calls `f` with the variant's type (SplitBlock{}, ...) and returns what it returns.
/// Throws InvalidArgument for a value that is no variant.
template <typename F>
decltype(auto) VisitVariant(Variant variant, F&& f) {
  switch (variant) {
    case Variant::kSplitBlock:
      return f(SplitBlock{});
    case Variant::kSplitBlock512:
      return f(SplitBlock512{});
  }
  throw InvalidArgument("unknown filter variant " + std::to_string(static_cast<uint32_t>(variant)));
}

/// All variants, in the order of their ids.
std::span<const Variant> AllVariants();

std::string_view NameOf(Variant variant);
std::string_view NameOf(HashScheme hash);

/// The variant of that name; throws InvalidArgument with the valid names.
Variant VariantFromName(std::string_view name);

/// Most blocks a filter can have: 32 bits of the hash choose the block.
inline constexpr uint64_t kMaxBlocks = 0xffffffff;

struct Spec {
  Variant variant = Variant::kSplitBlock;
  HashScheme hash = HashScheme::kXxh64;
  uint64_t seed = 0;    ///< of the hash; 0 is what Parquet fixes
  uint64_t blocks = 1;  ///< 1 to kMaxBlocks

  friend bool operator==(const Spec&, const Spec&) = default;

  uint64_t block_bytes() const {
    return VisitVariant(variant,
                        []<typename V>(V) { return kBlockWords * sizeof(typename V::Word); });
  }
  uint64_t bytes() const { return blocks * block_bytes(); }
  uint64_t bits() const { return 8 * bytes(); }
  int k() const { return kBlockWords; }  ///< bits set for a key
};

/// Throws InvalidArgument if a field is out of its range.
void Validate(const Spec& spec);

/// One line with every field, for error messages.
std::string ToString(const Spec& spec);

/// Throws SpecMismatch, naming both, unless they are equal. `action` is a verb: "merge".
void RequireEqual(const Spec& a, const Spec& b, std::string_view action);

}  // namespace tamis

#endif  // TAMIS_SPEC_H_
