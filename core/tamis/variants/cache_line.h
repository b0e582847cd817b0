// Blocks of 512 bits, one cache line, and k bits of a key anywhere in its block: for rates of 1e-3
// to 1e-5, where eight bits are too few, still at one memory access a key.
//
//   bit i of a key is (low * BlockSalt(i)) >> 23 in 32-bit arithmetic; of two that agree, one is
//   lost
//
// The block is Locate()'s, as in split_block.
#ifndef TAMIS_VARIANTS_CACHE_LINE_H_
#define TAMIS_VARIANTS_CACHE_LINE_H_

#include <cstdint>
#include <string_view>

#include "tamis/bits.h"

namespace tamis {

/// Odd multipliers for up to 16 bits in a block: Parquet's eight, and eight of our own.
TAMIS_HOST_DEVICE constexpr uint32_t BlockSalt(int i) {
  constexpr uint32_t kMore[8] = {0xd1b54a33, 0x6c8e9cf5, 0x3c6ef36b, 0xb5297a4d,
                                 0x1b56c4e9, 0xe7037ed1, 0x85ebca6b, 0xc2b2ae35};
  return i < kBlockWords ? Salt(i) : kMore[i - kBlockWords];
}

/// A block of kBlockBits bits in kWords words of 64, with bits of a key anywhere in it.
template <int kBlockBits>
struct OpenBlock {
  using Word = uint64_t;
  static constexpr int kWords = kBlockBits / 64;
  static constexpr int kMaxK = 16;

  /// Which bit of the block is the key's i-th (0 to k - 1). `low` is Place's.
  TAMIS_HOST_DEVICE static constexpr uint32_t Position(uint32_t low, int i) {
    return static_cast<uint32_t>(low * BlockSalt(i)) >>
           (32 - std::countr_zero(unsigned{kBlockBits}));
  }

  TAMIS_HOST_DEVICE static constexpr bool Test(const Word* block, uint32_t low, int k) {
    for (int i = 0; i < k; ++i) {
      const uint32_t at = Position(low, i);
      if (((block[at / 64] >> (at % 64)) & 1) == 0) return false;
    }
    return true;
  }

  TAMIS_HOST_DEVICE static constexpr bool Mark(Word* block, uint32_t low, int k) {
    Word missing = 0;
    for (int i = 0; i < k; ++i) {
      const uint32_t at = Position(low, i);
      const Word mask = Word{1} << (at % 64);
      missing |= mask & ~block[at / 64];
      block[at / 64] |= mask;
    }
    return missing != 0;
  }
};

struct CacheLine : OpenBlock<512> {
  static constexpr uint32_t kId = 4;  // in files; never reused
  static constexpr std::string_view kName = "cache_line";
  static constexpr bool kBlocked = true;
  static constexpr int kMinK = 4;
  static constexpr int kUsualK = 8;
};

}  // namespace tamis

#endif  // TAMIS_VARIANTS_CACHE_LINE_H_
