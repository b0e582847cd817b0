// The loop over a batch where all blocks are the caller's: each turn does one thing to each of a
// few groups of keys on their way through a ring of places.
//
//   turn g:   hash and locate group g
//             prefetch the blocks of group g - kSettle        (past the caches)
//             prefetch those of group g - lead + kNearAhead   (past the first, on some targets)
//             probe or update group g - lead, and answer
//
// So arithmetic, memory under way and probes overlap, however long the batch. A group's places are
// read again a while after they were stored: reading a vector back in pieces at once stalls. Past
// the cache, Ops::kLead keys lie between the prefetch of a block and its use, so that the memory is
// always busy.

#if defined(TAMIS_SIMD_WHOLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TAMIS_SIMD_WHOLE_INL_H_
#undef TAMIS_SIMD_WHOLE_INL_H_
#else
#define TAMIS_SIMD_WHOLE_INL_H_
#endif

#include <bit>
#include <cstring>

#include "hwy/highway.h"
#include "simd/few-inl.h"
#include "simd/places-inl.h"
#include "simd/steps-inl.h"
#include "tamis/answers.h"
#include "tamis/backend.h"

HWY_BEFORE_NAMESPACE();
namespace tamis::simd::HWY_NAMESPACE {

template <class Ops, Verb kVerb>
class WholeLoop {
 public:
  WholeLoop(const Batch& batch, uint8_t* answers)
      : bits_(batch.bits),
        blocks_(static_cast<uint32_t>(batch.spec.blocks)),
        far_(batch.in_memory()),
        near_(batch.residence != Residence::kFirstCache),
        answers_(answers) {}

  // Takes all keys through; returns the number of ones among the answers.
  uint64_t Run(const Keys& keys, uint64_t seed) {
    if (keys.kind() == Keys::Kind::kFixed && keys.width() == 8) {
      Roll(Key8Source{keys.bytes(), seed}, keys.size());
    } else if (keys.kind() == Keys::Kind::kHashes) {
      Roll(HashSource{reinterpret_cast<const char*>(keys.hashes())}, keys.size());
    } else {
      RunByHashes(keys, seed);
    }
    return count_;
  }

 private:
  using Step = Steps<Ops, kVerb>;
  static constexpr size_t kRing = 256;  // keys; a power of two
  // In groups: between storing places and reading them back; between storing and probing in cache.
  static constexpr uint64_t kSettle = 32 / kGroup;
  static constexpr uint64_t kNearLead = 64 / kGroup;
  // Where hashes take many instructions, processors do not look far enough ahead to the next
  // probes.
  static constexpr bool kShortSighted = !kHasMul64;
  static constexpr uint64_t kNearAhead = 32 / kGroup;  // between the near prefetch and the probe
  static constexpr uint64_t kFarLead = kSettle + Ops::kLead / kGroup;
  static constexpr uint64_t kWord = 64 / kGroup;  // groups for a word of answers
  static_assert((kFarLead + 1) * kGroup <= kRing);

  // Keys that do not hash in lanes: a stage of hashes at a time.
  void RunByHashes(const Keys& keys, uint64_t seed) {
    HWY_ALIGN uint64_t hashes[kStage];
    for (uint64_t first = 0; first < keys.size(); first += kStage) {
      const Keys stage = keys.Slice(first, HWY_MIN(keys.size() - first, kStage));
      HashKeys(stage, seed, hashes);
      Roll(HashSource{reinterpret_cast<const char*>(hashes)}, stage.size());
    }
  }

  template <class Source>
  void Roll(const Source& source, uint64_t keys) {
    if (keys == 0) return;
    if (keys <= kFew) {
      count_ += RunFew<Ops, kVerb>(bits_, blocks_, far_, source, keys, answers_);
    } else if (far_) {
      RollAt<true>(source, keys);
    } else {
      RollAt<false>(source, keys);
    }
  }

  template <bool kFar, class Source>
  HWY_NOINLINE void RollAt(const Source source, uint64_t keys) {
    const uint32_t blocks = blocks_;  // a local, like the copy of the source: see StepGroup
    const uint64_t whole = keys / kGroup;
    const uint64_t groups = (keys + kGroup - 1) / kGroup;
    const uint64_t lead = kFar ? kFarLead : HWY_MIN(kNearLead, groups);
    uint64_t g = 0;
    for (; g < HWY_MIN(lead, whole); ++g) Turn<kFar>(source, keys, lead, g);
    // Most turns are like this one, without a question.
    for (; g < whole; ++g) {
      PrefetchKeys(source.items + g * kGroup * 8);
      StorePlaces(source, g * kGroup, blocks, places_ + Slot(g));
      if (kShortSighted && near_) PrefetchNear(g + kNearAhead - lead);
      StepGroup<kFar>(g - lead, g - kSettle);
      AnswerBefore(g - lead);
    }
    for (; g < groups + lead; ++g) Turn<kFar>(source, keys, lead, g);
    const uint64_t last = (groups - 1) / kWord;
    if (kVerb != Verb::kInsert) Answer(last, keys - 64 * last);
  }

  // A turn near the beginning or the end of a batch, where some of its groups are not there or not
  // whole.
  template <bool kFar, class Source>
  HWY_NOINLINE void Turn(const Source& source, uint64_t keys, uint64_t lead, uint64_t g) {
    const uint64_t whole = keys / kGroup;
    const size_t rest = keys % kGroup;
    const uint64_t groups = whole + (rest != 0 ? 1 : 0);
    if (g < whole) {
      StorePlaces(source, g * kGroup, blocks_, places_ + Slot(g));
    } else if (g < groups) {
      LocateRest(source, rest, g);
    }
    if (kFar && g - kSettle < groups) PrefetchFar(g - kSettle);
    if (kShortSighted && near_ && g + kNearAhead - lead < groups) {
      PrefetchNear(g + kNearAhead - lead);
    }
    if (g < lead) return;
    if (g - lead == whole) {
      StepRest(whole, rest);
    } else {
      StepGroup<false>(g - lead, 0);
    }
    AnswerBefore(g - lead);
  }

  // A word of answers is made once its successor has begun, since found bytes too are best read a
  // while after they were stored.
  HWY_INLINE void AnswerBefore(uint64_t group) {
    if (kVerb != Verb::kInsert && group % kWord == 0 && group != 0) Answer(group / kWord - 1, 64);
  }

  static size_t Slot(uint64_t group) { return group * kGroup % kRing; }

  // The last few keys, in a copy that may be read past.
  template <class Source>
  HWY_NOINLINE void LocateRest(const Source& source, size_t rest, uint64_t group) {
    HWY_ALIGN char padded[kGroup * 8] = {};
    std::memcpy(padded, source.items + group * sizeof padded, rest * 8);
    Source copy = source;
    copy.items = padded;
    StorePlaces(copy, 0, blocks_, places_ + Slot(group));
  }

  HWY_INLINE void PrefetchFar(uint64_t group) const {
    const Place* const places = places_ + Slot(group);
    for (size_t i = 0; i < kGroup; ++i) Step::PrefetchFar(bits_, places[i]);
  }

  HWY_INLINE void PrefetchNear(uint64_t group) const {
    const Place* const places = places_ + Slot(group);
    for (size_t i = 0; i < kGroup; ++i) Step::PrefetchNear(bits_, places[i]);
  }

  // Steps of a group; kFar: with the prefetches of another between them, so that these come as
  // evenly as the memory serves them.
  template <bool kFar>
  HWY_INLINE void StepGroup(uint64_t group, uint64_t far_group) {
    // Locals, since stores to found_ are to bytes and could change any member.
    std::byte* const bits = bits_;
    const Place* const places = places_ + Slot(group);
    const Place* const far_places = places_ + Slot(far_group);
    uint8_t* const found = Found(group);
    // Unrolled whole, this loop keeps GCC 12 busy moving addresses between registers.
#pragma GCC unroll 2
    for (size_t i = 0; i < kGroup; i += 2) {
      if constexpr (kFar) {
        Step::PrefetchFar(bits, far_places[i]);
        Step::PrefetchFar(bits, far_places[i + 1]);
      }
      Step::Two(bits, places + i, found + i);
    }
  }

  HWY_NOINLINE void StepRest(uint64_t group, size_t rest) {
    for (size_t i = 0; i < rest; ++i) {
      Step::One(bits_, places_[Slot(group) + i], Found(group) + i);
    }
  }

  // Two words' worth of what was found, in turns.
  uint8_t* Found(uint64_t group) { return found_ + group * kGroup % sizeof found_; }

  HWY_INLINE void Answer(uint64_t word, size_t valid) {
    const uint64_t bits = Step::Answers(Found(kWord * word), valid);
    count_ += static_cast<uint64_t>(std::popcount(bits));
    if (answers_ == nullptr) return;
    PutAnswers(answers_, bits, valid);
    answers_ += valid / 8;
  }

  std::byte* const bits_;
  const uint32_t blocks_;
  const bool far_;
  const bool near_;
  uint8_t* answers_;  // where the next word goes; null if nobody wants them
  uint64_t count_ = 0;
  HWY_ALIGN Place places_[kRing];
  HWY_ALIGN uint8_t found_[2 * 64];
};

}  // namespace tamis::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TAMIS_SIMD_WHOLE_INL_H_
