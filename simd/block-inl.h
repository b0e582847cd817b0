// mask -> probe or update, for blocks of eight words with one bit of a key in each, words of any
// width on registers of any width: a block is as many parts as it fills registers.

#if defined(TAMIS_SIMD_BLOCK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TAMIS_SIMD_BLOCK_INL_H_
#undef TAMIS_SIMD_BLOCK_INL_H_
#else
#define TAMIS_SIMD_BLOCK_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "tamis/bits.h"

HWY_BEFORE_NAMESPACE();
namespace tamis::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

HWY_ALIGN constexpr uint32_t kSalts[kBlockWords] = {Salt(0), Salt(1), Salt(2), Salt(3),
                                                    Salt(4), Salt(5), Salt(6), Salt(7)};

template <typename T>
struct BlockOps {
  using Word = T;
  using D = hn::CappedTag<T, kBlockWords>;
  using V = hn::Vec<D>;
  static constexpr size_t kBlockBytes = kBlockWords * sizeof(T);
  // Keys between the prefetch of a block and its use, past the cache. Measured: blocks of a whole
  // line are lost again at distances that halves of lines thrive on.
  static constexpr size_t kLead = sizeof(T) == 4 ? 128 : 32;
  static constexpr size_t kPartWords = HWY_MIN(hn::MaxLanes(D()), size_t{kBlockWords});

  // Which words of a part have the mask's bit set, as the target tells it soonest: all or not all,
  // or one bit a word.
#if HWY_ARCH_X86_64 && HWY_TARGET > HWY_AVX3 && HWY_TARGET <= HWY_SSE4
  using Set = bool;
  static constexpr uint8_t kAllSet = 1;
  static HWY_INLINE Set Both(Set a, Set b) { return a && b; }
  static HWY_INLINE void StoreSet(Set set, uint8_t* found) { *found = set ? 1 : 0; }
  static HWY_INLINE Set TestWords(V words, V mask) {
#if HWY_TARGET == HWY_AVX2
    if constexpr (sizeof(V) == 32) return _mm256_testc_si256(words.raw, mask.raw) != 0;
#endif
    if constexpr (sizeof(V) == 16) return _mm_testc_si128(words.raw, mask.raw) != 0;
  }
#else
  using Set = hn::Mask<D>;
  static constexpr uint8_t kAllSet = static_cast<uint8_t>((1U << kPartWords) - 1);
  static HWY_INLINE Set Both(Set a, Set b) { return hn::And(a, b); }
  static HWY_INLINE void StoreSet(Set set, uint8_t* found) { hn::StoreMaskBits(D(), set, found); }
  static HWY_INLINE Set TestWords(V words, V mask) { return hn::TestBit(words, mask); }
#endif

  static HWY_INLINE T* At(std::byte* bits, uint32_t block) {
    return reinterpret_cast<T*>(bits + uint64_t{block} * kBlockBytes);
  }
  static HWY_INLINE const T* At(const std::byte* bits, uint32_t block) {
    return reinterpret_cast<const T*>(bits + uint64_t{block} * kBlockBytes);
  }

  // The mask's words from `word` on.
  static HWY_INLINE V Mask(uint32_t low, size_t word) {
    const D d;
    const hn::Rebind<uint32_t, D> d32;
    const auto product = hn::Mul(hn::Set(d32, low), hn::LoadU(d32, kSalts + word));
    if constexpr (sizeof(T) == 4) {
      return hn::Shl(hn::Set(d, 1), hn::ShiftRight<27>(product));
    } else {
      return hn::Shl(hn::Set(d, 1), hn::PromoteTo(d, hn::ShiftRight<26>(product)));
    }
  }

  static HWY_INLINE void Contains1(const std::byte* bits, const Place& place, uint8_t* found) {
    const D d;
    const T* at = At(bits, place.block);
    Set set = TestWords(hn::LoadU(d, at), Mask(place.low, 0));
    for (size_t word = kPartWords; word < kBlockWords; word += kPartWords) {
      set = Both(set, TestWords(hn::LoadU(d, at + word), Mask(place.low, word)));
    }
    StoreSet(set, found);
  }

  static HWY_INLINE void InsertNew1(std::byte* bits, const Place& place, uint8_t* found) {
    T* at = At(bits, place.block);
    Set set = Update(at, Mask(place.low, 0));
    for (size_t word = kPartWords; word < kBlockWords; word += kPartWords) {
      set = Both(set, Update(at + word, Mask(place.low, word)));
    }
    StoreSet(set, found);
  }

  static HWY_INLINE void Insert1(std::byte* bits, const Place& place) {
    T* at = At(bits, place.block);
    for (size_t word = 0; word < kBlockWords; word += kPartWords)
      Or(at + word, Mask(place.low, word));
  }

  // ORs a mask into words; returns which of its bits were set before.
  static HWY_INLINE Set Update(T* at, V mask) {
    const D d;
    const V words = hn::LoadU(d, at);
    hn::StoreU(hn::Or(words, mask), d, at);
    return TestWords(words, mask);
  }

  static HWY_INLINE void Or(T* at, V mask) {
    const D d;
    hn::StoreU(hn::Or(hn::LoadU(d, at), mask), d, at);
  }

  // The steps that Loop takes: two keys, one after the other. Their blocks may be the same.
  static HWY_INLINE void Contains2(const std::byte* bits, const Place* places, uint8_t* found) {
    Contains1(bits, places[0], found);
    Contains1(bits, places[1], found + 1);
  }
  static HWY_INLINE void InsertNew2(std::byte* bits, const Place* places, uint8_t* found) {
    InsertNew1(bits, places[0], found);
    InsertNew1(bits, places[1], found + 1);
  }
  static HWY_INLINE void Insert2(std::byte* bits, const Place* places) {
    Insert1(bits, places[0]);
    Insert1(bits, places[1]);
  }
};

}  // namespace tamis::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TAMIS_SIMD_BLOCK_INL_H_
