// A call with a few keys, at once: all located, all blocks asked for, all probed. No ring to turn.
// What such a call costs is waiting, for each of these steps and for memory that was just written:
// so keys that fill no vector are hashed one by one, and the last vector of others overlaps the one
// before it, where a padded copy would have to be waited for.

#if defined(TAMIS_SIMD_FEW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TAMIS_SIMD_FEW_INL_H_
#undef TAMIS_SIMD_FEW_INL_H_
#else
#define TAMIS_SIMD_FEW_INL_H_
#endif

#include <bit>

#include "hwy/highway.h"
#include "simd/places-inl.h"
#include "simd/steps-inl.h"
#include "tamis/answers.h"

HWY_BEFORE_NAMESPACE();
namespace tamis::simd::HWY_NAMESPACE {

constexpr size_t kFew = 64;  // keys: a word of answers

template <class Source>
HWY_INLINE void LocateFew(const Source& source, size_t keys, uint32_t blocks, Place* places) {
  if (keys < kAbreastKeys) {
    for (size_t i = 0; i < keys; ++i) places[i] = Locate(source.HashOf(i), blocks);
    return;
  }
  const size_t last = keys - kAbreastKeys;
  for (size_t i = 0;; i = HWY_MIN(i + kAbreastKeys, last)) {
    StoreSome(source, i, blocks, places + i);
    if (i == last) return;
  }
}

// Takes 1 to kFew keys through; `answers` may be null. Returns the number of ones among them. Where
// `far`, blocks are asked for before the first is looked at.
template <class Ops, Verb kVerb, class Source>
HWY_NOINLINE uint64_t RunFew(std::byte* bits, uint32_t blocks, bool far, const Source source,
                             size_t keys, uint8_t* answers) {
  using Step = Steps<Ops, kVerb>;
  HWY_ALIGN Place places[kFew];
  HWY_ALIGN uint8_t found[kFew];
  LocateFew(source, keys, blocks, places);
  if (far) {
    for (size_t i = 0; i < keys; ++i) Step::PrefetchNear(bits, places[i]);
  }
  size_t i = 0;
  for (; i + 2 <= keys; i += 2) Step::Two(bits, places + i, found + i);
  if (i < keys) Step::One(bits, places[i], found + i);
  if constexpr (kVerb == Verb::kInsert) return 0;
  const uint64_t word = Step::Answers(found, keys);
  if (answers != nullptr) PutAnswers(answers, word, keys);
  return static_cast<uint64_t>(std::popcount(word));
}

}  // namespace tamis::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TAMIS_SIMD_FEW_INL_H_
