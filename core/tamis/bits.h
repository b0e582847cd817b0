// Which bits does a key touch? The only definition: hash -> Locate() -> MaskWord(), and for other
// layouts than the split blocks, what stands in their header under variants/.
//
//   a block of eight words; a key owns one bit in each word
//     hash   63..........32 31...........0
//            |              |
//            Locate: block  low --*salt[i]--> top bits: which bit of word i
//
// The 32-bit-word form is Apache Parquet's split block Bloom filter, bit for bit
// (https://github.com/apache/parquet-format/blob/master/BloomFilter.md). Vector and device code
// mirror these functions and are held to them by the conformance suite; nothing else decides on
// bits.
#ifndef TAMIS_BITS_H_
#define TAMIS_BITS_H_

#include <bit>
#include <cstdint>

#if defined(__CUDACC__)
#define TAMIS_HOST_DEVICE __host__ __device__
#else
#define TAMIS_HOST_DEVICE
#endif

namespace tamis {

static_assert(std::endian::native == std::endian::little,
              "filters are little-endian words, in memory as in files");

/// Words in a block, and bits a key sets: one in each word.
inline constexpr int kBlockWords = 8;

/// Odd multipliers, one for each word of a block, as Parquet fixes them.
TAMIS_HOST_DEVICE constexpr uint32_t Salt(int word) {
  constexpr uint32_t kSalt[kBlockWords] = {0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d,
                                           0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31};
  return kSalt[word];
}

/// Where a key lives: the half of its hash that picks the bits inside the block, and its block. In
/// this order they are the two halves of one 64-bit lane, as vector code makes them.
struct Place {
  uint32_t low;
  uint32_t block;
};

/// The place of a key with this 64-bit hash in a filter of `blocks` blocks, 1 to 2^32 - 1.
TAMIS_HOST_DEVICE constexpr Place Locate(uint64_t hash, uint32_t blocks) {
  return {.low = static_cast<uint32_t>(hash),
          .block = static_cast<uint32_t>(((hash >> 32) * blocks) >> 32)};
}

/// Which bit a key sets in the word of this salt. Word is uint32_t or uint64_t.
template <typename Word>
TAMIS_HOST_DEVICE constexpr uint32_t BitBySalt(uint32_t low, uint32_t salt) {
  constexpr int kShift = 32 - std::countr_zero(8 * sizeof(Word));  // 27 for 32 bits, 26 for 64
  return static_cast<uint32_t>(low * salt) >> kShift;
}

/// The one bit that a key sets in word `word` (0 to 7) of its block.
template <typename Word>
TAMIS_HOST_DEVICE constexpr Word MaskWord(uint32_t low, int word) {
  return Word{1} << BitBySalt<Word>(low, Salt(word));
}

/// Whether every bit of the key is set in its block.
template <typename Word>
TAMIS_HOST_DEVICE constexpr bool Test(const Word* block, uint32_t low) {
  Word missing = 0;
  for (int i = 0; i < kBlockWords; ++i) missing |= MaskWord<Word>(low, i) & ~block[i];
  return missing == 0;
}

/// Sets the key's bits in its block; returns whether one of them was clear before.
template <typename Word>
TAMIS_HOST_DEVICE constexpr bool Mark(Word* block, uint32_t low) {
  Word missing = 0;
  for (int i = 0; i < kBlockWords; ++i) {
    const Word mask = MaskWord<Word>(low, i);
    missing |= mask & ~block[i];
    block[i] |= mask;
  }
  return missing != 0;
}

/// What the split-block variants share, and the members that every blocked variant has.
template <typename T>
struct EightWords {
  using Word = T;
  static constexpr bool kBlocked = true;      // all of a key's bits lie in one block
  static constexpr int kWords = kBlockWords;  // of a block
  static constexpr int kMinK = kBlockWords;   // bits that a key sets
  static constexpr int kMaxK = kBlockWords;
  static constexpr int kUsualK = kBlockWords;  // where nothing else decides

  /// Which bit of the block is the key's i-th (0 to 7). `low` is Place's.
  TAMIS_HOST_DEVICE static constexpr uint32_t Position(uint32_t low, int i) {
    return static_cast<uint32_t>(8 * sizeof(Word)) * static_cast<uint32_t>(i) +
           BitBySalt<Word>(low, Salt(i));
  }
  TAMIS_HOST_DEVICE static constexpr bool Test(const Word* block, uint32_t low, int /*k*/) {
    return tamis::Test(block, low);
  }
  TAMIS_HOST_DEVICE static constexpr bool Mark(Word* block, uint32_t low, int /*k*/) {
    return tamis::Mark(block, low);
  }
};

}  // namespace tamis

#endif  // TAMIS_BITS_H_
