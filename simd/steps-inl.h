// One step a place: probe or update its block, and note what was found. A variant brings Ops, see
// simd/block-inl.h.
//
// What a step learns of a key is a byte, equal to Ops::kAllSet if all its bits were set; 64 such
// bytes become 64 answers by one comparison.

#if defined(TAMIS_SIMD_STEPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TAMIS_SIMD_STEPS_INL_H_
#undef TAMIS_SIMD_STEPS_INL_H_
#else
#define TAMIS_SIMD_STEPS_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "tamis/bits.h"

HWY_BEFORE_NAMESPACE();
namespace tamis::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// From memory into the second cache level: where the first can wait for some 24 lines at a time,
// the second waits for twice as many or more, and that bounds the rate (simd/README.md has the
// figures). Inlined, since GCC takes a function that does no more than prefetch for one that does
// nothing.
HWY_INLINE void PrefetchFar(const void* at) {
  constexpr int kRead = 0;
  constexpr int kSecondLevel = 2;
  __builtin_prefetch(at, kRead, kSecondLevel);
}

enum class Verb { kInsert, kInsertNew, kContains };

template <class Ops, Verb kVerb>
struct Steps {
  // Two places, one after the other.
  static HWY_INLINE void Two(std::byte* bits, const Place* places, uint8_t* found) {
    if constexpr (kVerb == Verb::kInsert) {
      Ops::Insert2(bits, places);
    } else if constexpr (kVerb == Verb::kInsertNew) {
      Ops::InsertNew2(bits, places, found);
    } else {
      Ops::Contains2(bits, places, found);
    }
  }

  // An odd place.
  static HWY_INLINE void One(std::byte* bits, const Place& place, uint8_t* found) {
    if constexpr (kVerb == Verb::kInsert) {
      Ops::Insert1(bits, place);
    } else if constexpr (kVerb == Verb::kInsertNew) {
      Ops::InsertNew1(bits, place, found);
    } else {
      Ops::Contains1(bits, place, found);
    }
  }

  static HWY_INLINE void PrefetchFar(const std::byte* bits, const Place& place) {
    simd::HWY_NAMESPACE::PrefetchFar(bits + uint64_t{place.block} * Ops::kBlockBytes);
  }

  // From the second cache level into the first.
  static HWY_INLINE void PrefetchNear(const std::byte* bits, const Place& place) {
    __builtin_prefetch(bits + uint64_t{place.block} * Ops::kBlockBytes);
  }

  // Answers for 64 keys: bit i tells of found[i]; those from `valid` on are 0.
  static HWY_INLINE uint64_t Answers(const uint8_t* found, size_t valid) {
    const hn::CappedTag<uint8_t, 64> d;
    const auto all_set = hn::Set(d, Ops::kAllSet);
    uint64_t word = 0;
    for (size_t i = 0; i < 64; i += hn::Lanes(d)) {
      const auto bytes = hn::LoadU(d, found + i);
      auto* part = reinterpret_cast<uint8_t*>(&word) + i / 8;
      if constexpr (kVerb == Verb::kContains) {
        hn::StoreMaskBits(d, hn::Eq(bytes, all_set), part);
      } else {
        hn::StoreMaskBits(d, hn::Ne(bytes, all_set), part);
      }
    }
    return valid < 64 ? word & ((uint64_t{1} << valid) - 1) : word;
  }
};

}  // namespace tamis::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TAMIS_SIMD_STEPS_INL_H_
