// The loop over a batch where all blocks are the caller's: three things happen in each turn, to
// three groups of keys on their way through a ring of places.
//
//   turn g:   hash and locate group g
//             prefetch the blocks of group g - kSettle        (only past the cache)
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
        prefetch_(batch.prefetch),
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
  static constexpr size_t kRing = 256;    // keys; a power of two
  static constexpr uint64_t kSettle = 2;  // groups between storing places and reading them back
  static constexpr uint64_t kNearLead = 4;
  static constexpr size_t kKeysAhead = 4096;  // bytes
  static constexpr uint64_t kFarLead = kSettle + Ops::kLead / kGroup;
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
    const uint64_t whole = keys / kGroup;
    const size_t rest = keys % kGroup;
    const uint64_t groups = whole + (rest != 0 ? 1 : 0);
    const uint64_t lead = prefetch_ ? kFarLead : HWY_MIN(kNearLead, groups);
    for (uint64_t g = 0; g < groups + lead; ++g) {
      if (g < whole) {
        PrefetchKeys(source.items + g * kGroup * 8);
        LocateGroup(source, g * kGroup, g);
      } else if (g < groups) {
        LocateRest(source, rest, g);
      }
      if (prefetch_ && g - kSettle < groups) PrefetchGroup(g - kSettle);
      if (g < lead) continue;
      const uint64_t h = g - lead;
      if (h < whole) {
        StepGroup(h);
      } else {
        StepRest(h, rest);
      }
      // A word of answers is made once its successor has begun, for the same reason as above.
      if (kVerb != Verb::kInsert && h % 4 == 0 && h != 0) Answer(h / 4 - 1, 64);
    }
    const uint64_t last = (groups - 1) / 4;
    if (kVerb != Verb::kInsert) Answer(last, keys - 64 * last);
  }

  // Processors see less of a batch coming when its keys are read between probes at random places.
  static HWY_INLINE void PrefetchKeys(const char* items) {
    constexpr size_t kLine = 64;
    for (size_t at = 0; at < kGroup * 8; at += kLine) __builtin_prefetch(items + kKeysAhead + at);
  }

  static size_t Slot(uint64_t group) { return group * kGroup % kRing; }

  template <class Source>
  HWY_INLINE void LocateGroup(const Source& source, uint64_t first, uint64_t group) {
    StorePlaces(source, first, blocks_, places_ + Slot(group));
  }

  // The last few keys, in a copy that may be read past.
  template <class Source>
  HWY_NOINLINE void LocateRest(const Source& source, size_t rest, uint64_t group) {
    HWY_ALIGN char padded[kGroup * 8] = {};
    std::memcpy(padded, source.items + group * sizeof padded, rest * 8);
    Source copy = source;
    copy.items = padded;
    LocateGroup(copy, 0, group);
  }

  HWY_INLINE void PrefetchGroup(uint64_t group) const {
    const Place* const places = places_ + Slot(group);
    for (size_t i = 0; i < kGroup; ++i) Step::Prefetch(bits_, places[i]);
  }

  HWY_INLINE void StepGroup(uint64_t group) {
    // Locals, since stores to found_ are to bytes and could change any member.
    std::byte* const bits = bits_;
    const Place* const places = places_ + Slot(group);
    uint8_t* const found = Found(group);
    // Unrolled whole, this loop keeps GCC 12 busy moving addresses between registers.
#pragma GCC unroll 2
    for (size_t i = 0; i < kGroup; i += 2) Step::Two(bits, places + i, found + i);
  }

  HWY_NOINLINE void StepRest(uint64_t group, size_t rest) {
    for (size_t i = 0; i < rest; ++i) {
      Step::One(bits_, places_[Slot(group) + i], Found(group) + i);
    }
  }

  // Two words' worth of what was found, in turns.
  uint8_t* Found(uint64_t group) { return found_ + group * kGroup % sizeof found_; }

  HWY_INLINE void Answer(uint64_t word, size_t valid) {
    const uint64_t bits = Step::Answers(Found(4 * word), valid);
    count_ += static_cast<uint64_t>(std::popcount(bits));
    if (answers_ == nullptr) return;
    PutAnswers(answers_, bits, valid);
    answers_ += valid / 8;
  }

  std::byte* const bits_;
  const uint32_t blocks_;
  const bool prefetch_;
  uint8_t* answers_;  // where the next word goes; null if nobody wants them
  uint64_t count_ = 0;
  HWY_ALIGN Place places_[kRing];
  HWY_ALIGN uint8_t found_[2 * 64];
};

}  // namespace tamis::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TAMIS_SIMD_WHOLE_INL_H_
