// The loop over a batch of strings where all blocks are the caller's: a stage of keys is hashed
// while the blocks of the stage before it are on their way, one prefetch a string, and then that
// stage is probed or updated, by now near the core.
//
//   hash stage 0
//   hash stage 1, prefetch the blocks of stage 0;  probe stage 0
//   hash stage 2, prefetch the blocks of stage 1;  probe stage 1
//   ...
//
// Strings are hashed one by one by scalar code, which takes longer than the memory needs for a
// block: so hashing hides most of it, and what is left of a probe costs what it does in cache.
// Taking turns by fewer keys, as the rolling loop does, is slower: probes at random places between
// strings keep the processor from seeing that the strings are read one after the other.

#if defined(TAMIS_SIMD_STAGED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TAMIS_SIMD_STAGED_INL_H_
#undef TAMIS_SIMD_STAGED_INL_H_
#else
#define TAMIS_SIMD_STAGED_INL_H_
#endif

#include <bit>
#include <utility>

#include "hwy/highway.h"
#include "simd/places-inl.h"
#include "simd/steps-inl.h"
#include "tamis/answers.h"
#include "tamis/backend.h"

HWY_BEFORE_NAMESPACE();
namespace tamis::simd::HWY_NAMESPACE {

template <class Ops, Verb kVerb>
class StagedLoop {
 public:
  StagedLoop(const Batch& batch, uint8_t* answers)
      : bits_(batch.bits),
        blocks_(static_cast<uint32_t>(batch.spec.blocks)),
        seed_(batch.spec.seed),
        answers_(answers) {}

  // Takes all keys through; returns the number of ones among the answers.
  uint64_t Run(const Keys& keys) {
    Place* now = first_;
    Place* next = second_;
    uint64_t at_hand = 0;  // places in `now`
    for (uint64_t first = 0; first < keys.size(); first += kKeys) {
      const uint64_t count = HWY_MIN(kKeys, keys.size() - first);
      Locate(keys.Slice(first, count), next, now, at_hand);
      StepAll(now, at_hand);
      std::swap(now, next);
      at_hand = count;
    }
    for (uint64_t i = 0; i < at_hand; ++i) Step::PrefetchFar(bits_, now[i]);
    StepAll(now, at_hand);
    return count_;
  }

 private:
  using Step = Steps<Ops, kVerb>;
  static constexpr uint64_t kKeys = 1024;  // of a stage

  // Hashes go where their places will stand, in the same lanes.
  HWY_INLINE void Locate(const Keys& keys, Place* places, const Place* ahead, uint64_t count) {
    auto* hashes = reinterpret_cast<uint64_t*>(places);
    HashStrings(keys, seed_, hashes, {bits_, Ops::kBlockBytes, {ahead, count}});
    const HashSource source{reinterpret_cast<const char*>(hashes)};
    // Past the last hash to a whole group: there is room, and nobody takes those places.
    for (uint64_t i = 0; i < keys.size(); i += kGroup) {
      StorePlaces(source, i, blocks_, places + i);
    }
  }

  HWY_INLINE void StepAll(const Place* places, uint64_t count) {
    for (uint64_t first = 0; first < count; first += 64) {
      StepWord(places + first, HWY_MIN(uint64_t{64}, count - first));
    }
  }

  // The steps of as many keys as a word has answers.
  HWY_INLINE void StepWord(const Place* places, uint64_t count) {
    std::byte* const bits = bits_;
    uint64_t i = 0;
#pragma GCC unroll 2
    for (; i + 2 <= count; i += 2) Step::Two(bits, places + i, found_ + i);
    if (i < count) Step::One(bits, places[i], found_ + i);
    if constexpr (kVerb != Verb::kInsert) {
      const uint64_t word = Step::Answers(found_, count);
      count_ += static_cast<uint64_t>(std::popcount(word));
      if (answers_ == nullptr) return;
      PutAnswers(answers_, word, count);
      answers_ += count / 8;
    }
  }

  std::byte* const bits_;
  const uint32_t blocks_;
  const uint64_t seed_;
  uint8_t* answers_;  // where the next word goes; null if nobody wants them
  uint64_t count_ = 0;
  HWY_ALIGN Place first_[kKeys];
  HWY_ALIGN Place second_[kKeys];
  HWY_ALIGN uint8_t found_[64];
};

}  // namespace tamis::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TAMIS_SIMD_STAGED_INL_H_
