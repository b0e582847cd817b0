// A Spec is all that fixes the meaning of a filter's bits. Two filters can be merged, compared or
// swapped for each other exactly when their Specs are equal.
#ifndef TAMIS_SPEC_H_
#define TAMIS_SPEC_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tamis/arithmetic.h"
#include "tamis/bits.h"
#include "tamis/error.h"
#include "tamis/variants/cache_line.h"
#include "tamis/variants/classic.h"
#include "tamis/variants/register_blocked.h"
#include "tamis/variants/split_block.h"
#include "tamis/variants/split_block_512.h"

namespace tamis {

/// Layout of the bits. Values are those in files.
enum class Variant : uint32_t {
  kSplitBlock = SplitBlock::kId,
  kSplitBlock512 = SplitBlock512::kId,
  kClassic = Classic::kId,
  kCacheLine = CacheLine::kId,
  kRegisterBlocked = RegisterBlocked::kId,
};

/// Number of variants; their ids are 1 to kVariantCount.
inline constexpr int kVariantCount = 5;

/// How a key's bytes become 64-bit words. Values are those in files; tamis/schemes.h has a type for
/// each, and more that belong to other systems' filters.
enum class HashScheme : uint32_t {
  kXxh64 = 1,          ///< XXH64 of the key's bytes with the Spec's seed; u64 keys are 8 bytes,
                       ///< little-endian
  kXxh3 = 2,           ///< XXH3, with the Spec's seed
  kMurmur3X64128 = 3,  ///< MurmurHash3_x64_128, with a seed of 32 bits
  kFnv1a64 = 4,        ///< FNV-1a
  kSipHash24 = 5,      ///< SipHash-2-4 under the Spec's secret, for keys that an attacker chooses
  kPrehashed = 6,      ///< keys are hashes: 8 bytes, or 16 for two words
  // From here on those of other systems' filters; their headers say which.
  kFnv1Dcso = 16,
  kSparkMurmur3 = 17,
  kRedisMurmur2 = 18,
  kBitsAndBlooms = 19,
};

/// How a classic filter's positions follow from the words. Values are those in files.
enum class ProbeScheme : uint32_t {
  kNone = 0,            ///< blocked variants have their own way
  kEnhancedDouble = 1,  ///< tamis's own
  // Other systems':
  kDcso = 16,
  kPair32 = 17,  ///< Spark V1, Guava's strategy 0
  kSparkV2 = 18,
  kGuavaMitz64 = 19,  ///< Guava's strategy 1
  kRedisDouble = 20,
  kBitsAndBlooms = 21,
};

/// Words that a hash can have.
inline constexpr int kMaxHashWords = 4;

/// Calls `f` with the variant's type (SplitBlock{}, ...) and returns what it returns.
/// Throws InvalidArgument for a value that is no variant.
template <typename F>
decltype(auto) VisitVariant(Variant variant, F&& f) {
  switch (variant) {
    case Variant::kSplitBlock:
      return f(SplitBlock{});
    case Variant::kSplitBlock512:
      return f(SplitBlock512{});
    case Variant::kClassic:
      return f(Classic{});
    case Variant::kCacheLine:
      return f(CacheLine{});
    case Variant::kRegisterBlocked:
      return f(RegisterBlocked{});
  }
  throw InvalidArgument("unknown filter variant " + std::to_string(static_cast<uint32_t>(variant)));
}

/// All variants, in the order of their ids.
std::span<const Variant> AllVariants();

std::string_view NameOf(Variant variant);
std::string_view NameOf(HashScheme hash);
std::string_view NameOf(ProbeScheme probe);

/// The variant, or scheme, of that name; throws InvalidArgument with the valid names.
Variant VariantFromName(std::string_view name);
HashScheme HashFromName(std::string_view name);

/// Most blocks a filter can have: 32 bits of the hash choose the block.
inline constexpr uint64_t kMaxBlocks = 0xffffffff;
/// Most bits of a classic filter.
inline constexpr uint64_t kMaxClassicBits = uint64_t{1} << 63;

/// The key of a keyed hash scheme. It is never written anywhere: files hold a check value, by which
/// a wrong one is told.
struct Secret {
  uint64_t words[2] = {};

  /// From 16 bytes, as SipHash takes them. Throws InvalidArgument for another number.
  static Secret FromBytes(std::string_view bytes);
  /// What files hold: the SipHash-2-4 of a fixed text. Never 0.
  uint64_t Check() const;
  friend bool operator==(const Secret&, const Secret&) = default;
};

struct Spec {
  Variant variant = Variant::kSplitBlock;
  HashScheme hash = HashScheme::kXxh64;
  uint64_t seed = 0;    ///< of the hash; 0 is what Parquet fixes
  uint64_t blocks = 1;  ///< 1 to kMaxBlocks; a classic filter is one
  uint64_t m = 0;       ///< bits of a classic filter, 1 to kMaxClassicBits; 0 for blocked variants
  int k = kBlockWords;  ///< bits that a key sets: 8 in split blocks, 4 to 16 in cache lines, 1 to
                        ///< 16 in registers, 1 to 64 in a classic filter
  ProbeScheme probe = ProbeScheme::kNone;  ///< of a classic filter
  Secret secret{};                         ///< of a keyed hash scheme; else zeros

  friend bool operator==(const Spec&, const Spec&) = default;

  bool classic() const { return variant == Variant::kClassic; }
  /// Bytes of a block; of a classic filter, of a word.
  uint64_t block_bytes() const {
    return VisitVariant(variant, []<typename V>(V) -> uint64_t {
      if constexpr (V::kBlocked) return V::kWords * sizeof(typename V::Word);
      return sizeof(typename V::Word);
    });
  }
  uint64_t bytes() const {
    return classic() ? (m / 64 + (m % 64 != 0)) * 8 : blocks * block_bytes();
  }
  uint64_t bits() const { return classic() ? m : 8 * bytes(); }
  /// Words of a key's hash: what Engine::Hash gives, and Keys::Hashes takes, for each key.
  int hash_words() const;
  HashSeed hash_seed() const {
    return {.seed = seed, .secret = {secret.words[0], secret.words[1]}};
  }
};

/// Throws InvalidArgument if a field is out of its range, or fields do not go together.
void Validate(const Spec& spec);

/// One line with every field but the secret, for error messages.
std::string ToString(const Spec& spec);

/// Throws SpecMismatch, naming both, unless they are equal. `action` is a verb: "merge".
void RequireEqual(const Spec& a, const Spec& b, std::string_view action);

}  // namespace tamis

#endif  // TAMIS_SPEC_H_
