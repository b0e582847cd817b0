// Bloom's own layout: m bits, k of them a key's, anywhere. The lowest rate at a given size, and k
// memory accesses a key. Which bits: the Spec's probe scheme says (tamis/schemes.h), so that
// filters of other systems are classic filters with another scheme.
//
// Bit b is bit b % 64 of the little-endian word b / 64.
#ifndef TAMIS_VARIANTS_CLASSIC_H_
#define TAMIS_VARIANTS_CLASSIC_H_

#include <cstdint>
#include <string_view>

#include "tamis/bits.h"

namespace tamis {

struct Classic {
  using Word = uint64_t;
  static constexpr uint32_t kId = 3;  // in files; never reused
  static constexpr std::string_view kName = "classic";
  static constexpr bool kBlocked = false;
  static constexpr int kMinK = 1;
  static constexpr int kMaxK = 64;
  static constexpr int kUsualK = 7;

  TAMIS_HOST_DEVICE static constexpr bool TestBit(const Word* words, uint64_t bit) {
    return ((words[bit / 64] >> (bit % 64)) & 1) != 0;
  }
  /// Sets the bit; returns whether it was clear.
  TAMIS_HOST_DEVICE static constexpr bool MarkBit(Word* words, uint64_t bit) {
    const Word mask = Word{1} << (bit % 64);
    const bool clear = (words[bit / 64] & mask) == 0;
    words[bit / 64] |= mask;
    return clear;
  }

  /// Whether all k bits are set. `walk` is a probe scheme's, at its beginning.
  template <class Walk>
  TAMIS_HOST_DEVICE static constexpr bool Test(const Word* words, Walk walk, int k) {
    for (int i = 0; i < k; ++i) {
      if (!TestBit(words, walk.Next())) return false;
    }
    return true;
  }

  /// Sets all k; returns whether one was clear before.
  template <class Walk>
  TAMIS_HOST_DEVICE static constexpr bool Mark(Word* words, Walk walk, int k) {
    bool missing = false;
    for (int i = 0; i < k; ++i) missing |= MarkBit(words, walk.Next());
    return missing;
  }
};

}  // namespace tamis

#endif  // TAMIS_VARIANTS_CLASSIC_H_
