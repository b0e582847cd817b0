// The loop of every block-shaped variant, for one instruction set: places of a stage of keys into a
// queue, then one step a key through the queue.
//
//   queue   [ . . . . . . . . . . . . . . . . . . . . ]
//             ^ probe or update      ^ prefetch, kLead places on
//
// Past the cache each step touches one block and prefetches another, so that the memory always has
// about kLead blocks under way; the queue keeps kLead places between stages and never runs dry.
// (A prefetched tile followed by its probes reaches 0.8 of that; distances of 16 to 32 half.)
// In cache nothing is prefetched. A variant brings an Ops type, see simd/split_block.cc.
//
// What a step learns of a key is a byte, equal to Ops::kAllSet if all its bits were set; 64 such
// bytes become 64 answers by one comparison.

#if defined(TAMIS_SIMD_LOOP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TAMIS_SIMD_LOOP_INL_H_
#undef TAMIS_SIMD_LOOP_INL_H_
#else
#define TAMIS_SIMD_LOOP_INL_H_
#endif

#include <bit>
#include <cstring>

#include "hwy/highway.h"
#include "simd/deposit-inl.h"
#include "simd/places-inl.h"
#include "tamis/answers.h"
#include "tamis/backend.h"

HWY_BEFORE_NAMESPACE();
namespace tamis::simd::HWY_NAMESPACE {

enum class Verb { kInsert, kInsertNew, kContains };

// Answers for 64 keys: bit i is set if byte i of `found` is (kEqual) or is not `value`.
template <bool kEqual>
HWY_INLINE void Answer64(const uint8_t* found, uint8_t value, uint8_t* answers) {
  const hn::CappedTag<uint8_t, 64> d;
  const auto all_set = hn::Set(d, value);
  for (size_t i = 0; i < 64; i += hn::Lanes(d)) {
    const auto bytes = hn::LoadU(d, found + i);
    if constexpr (kEqual) {
      hn::StoreMaskBits(d, hn::Eq(bytes, all_set), answers + i / 8);
    } else {
      hn::StoreMaskBits(d, hn::Ne(bytes, all_set), answers + i / 8);
    }
  }
}

// Answers of a whole filter's keys: key i's is bit i.
struct InOrder {
  uint8_t* answers;  // null if nobody wants them

  void Put(uint64_t word, size_t count) {
    if (answers == nullptr) return;
    PutAnswers(answers, word, count);
    answers += count / 8;
  }
};

template <class Ops, Verb kVerb, bool kOwned>
class Loop {
 public:
  Loop(const Batch& batch, BlockRange owned, uint8_t* answers)
      : batch_(batch),
        owned_(owned),
        sink_{answers},
        stage_(batch.prefetch ? kShortStage : kStage),
        lead_(batch.prefetch ? kLead : 0) {}

  uint64_t Run() {
    const uint64_t keys = batch_.keys.size();
    for (uint64_t first = 0; first < keys; first += stage_) {
      const size_t count = static_cast<size_t>(HWY_MIN(keys - first, stage_));
      AppendPlaces<kOwned>(batch_, first, count, owned_, queue_, OwnedBits(count));
      const bool last = first + count == keys;
      for (; prefetched_ < HWY_MIN(lead_, queue_.size()); ++prefetched_) {
        Prefetch(batch_.bits, queue_.blocks()[prefetched_]);
      }
      if (last) {
        Steps(queue_.size());
      } else if (queue_.size() >= lead_ + 64) {
        Steps((queue_.size() - lead_) / 64 * 64);
      }
    }
    return count_;
  }

 private:
  // Into the second cache level: where the first can wait for some 24 lines at a time, the second
  // waits for twice as many or more, and that bounds the rate (bench/README.md has the figures).
  static HWY_INLINE void Prefetch(const std::byte* bits, uint32_t block) {
    constexpr int kRead = 0;
    constexpr int kSecondLevel = 2;
    __builtin_prefetch(bits + uint64_t{block} * Ops::kBlockBytes, kRead, kSecondLevel);
  }

  // Where to write which keys of this stage are owned, one bit a key.
  uint64_t* OwnedBits(size_t count) {
    if constexpr (kOwned && kVerb == Verb::kInsertNew) {
      return sink_.Extend(count);
    } else {
      return nullptr;
    }
  }

  // Takes `count` places from the front of the queue through their step.
  HWY_INLINE void Steps(size_t count) {
    // Locals, since found_ is bytes, and a store to bytes may change any member.
    std::byte* const bits = batch_.bits;
    const uint32_t* const block = queue_.blocks();
    const uint32_t* const low = queue_.lows();
    uint8_t* const found = found_;
    const size_t lead = lead_;
    size_t i = 0;
    if (lead != 0) {
      const size_t with_prefetch = HWY_MIN(count, queue_.size() - HWY_MIN(lead, queue_.size()));
      const uint32_t* const ahead = block + lead;
      for (; i + 2 <= with_prefetch; i += 2) {
        Prefetch(bits, ahead[i]);
        Prefetch(bits, ahead[i + 1]);
        Step2(bits, block + i, low + i, found + i);
      }
    }
    for (; i + 2 <= count; i += 2) Step2(bits, block + i, low + i, found + i);
    if (i < count) Step1(i);
    if constexpr (kVerb != Verb::kInsert) AnswerAll(count);
    queue_.Pop(count);
    prefetched_ = HWY_MIN(lead, queue_.size());
  }

  static HWY_INLINE void Step2(std::byte* bits, const uint32_t* block, const uint32_t* low,
                               uint8_t* found) {
    if constexpr (kVerb == Verb::kInsert) {
      Ops::Insert2(bits, block, low);
    } else if constexpr (kVerb == Verb::kInsertNew) {
      Ops::InsertNew2(bits, block, low, found);
    } else {
      Ops::Contains2(bits, block, low, found);
    }
  }

  // The odd last place, by the definition itself.
  void Step1(size_t i) {
    auto* block = Ops::At(batch_.bits, queue_.blocks()[i]);
    const uint32_t low = queue_.lows()[i];
    bool all_set = true;
    if constexpr (kVerb == Verb::kContains) {
      all_set = Test(block, low);
    } else {
      all_set = !Mark(block, low);
    }
    found_[i] = all_set ? Ops::kAllSet : static_cast<uint8_t>(~Ops::kAllSet);
  }

  // Turns the first `count` bytes of found_ into answers.
  void AnswerAll(size_t count) {
    for (size_t i = 0; i < count; i += 64) {
      const size_t valid = HWY_MIN(count - i, 64);
      uint64_t word = 0;
      Answer64<kVerb == Verb::kContains>(found_ + i, Ops::kAllSet,
                                         reinterpret_cast<uint8_t*>(&word));
      if (valid < 64) word &= (uint64_t{1} << valid) - 1;
      count_ += static_cast<uint64_t>(std::popcount(word));
      sink_.Put(word, valid);
    }
  }

  const Batch batch_;
  const BlockRange owned_;
  std::conditional_t<kOwned, Deposit, InOrder> sink_;
  const size_t stage_;
  const size_t lead_;
  size_t prefetched_ = 0;  // places at the queue's front whose blocks are under way
  uint64_t count_ = 0;
  Queue queue_;
  HWY_ALIGN uint8_t found_[kStage + kLead + 2 * 64];
};

template <class Ops>
void Insert(const Batch& batch, BlockRange owned) {
  if (owned == BlockRange::All(batch.spec)) {
    Loop<Ops, Verb::kInsert, false>(batch, owned, nullptr).Run();
  } else {
    Loop<Ops, Verb::kInsert, true>(batch, owned, nullptr).Run();
  }
}

template <class Ops>
uint64_t InsertNew(const Batch& batch, BlockRange owned, uint8_t* answers) {
  if (owned == BlockRange::All(batch.spec)) {
    return Loop<Ops, Verb::kInsertNew, false>(batch, owned, answers).Run();
  }
  return Loop<Ops, Verb::kInsertNew, true>(batch, owned, answers).Run();
}

template <class Ops>
uint64_t Contains(const Batch& batch, uint8_t* answers) {
  return Loop<Ops, Verb::kContains, false>(batch, BlockRange::All(batch.spec), answers).Run();
}

template <class Ops>
VariantKernels KernelsOf() {
  return {.insert = Insert<Ops>, .insert_new = InsertNew<Ops>, .contains = Contains<Ops>};
}

}  // namespace tamis::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TAMIS_SIMD_LOOP_INL_H_
