// The loop of an owner, who updates only blocks of its own range: the batch is walked whole, a
// stage of keys is hashed and located, the owned places are kept (vector compress) in a queue, and
// the queue is taken through its steps.
//
//   queue   [ . . . . . . . . . . . . . . . . . . . . ]
//             ^ update              ^ prefetch, Ops::kLead places on
//
// The queue keeps that many places from stage to stage, so that the memory never runs idle.

#if defined(TAMIS_SIMD_OWNED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TAMIS_SIMD_OWNED_INL_H_
#undef TAMIS_SIMD_OWNED_INL_H_
#else
#define TAMIS_SIMD_OWNED_INL_H_
#endif

#include <bit>
#include <cstring>

#include "hwy/highway.h"
#include "simd/deposit-inl.h"
#include "simd/places-inl.h"
#include "simd/steps-inl.h"
#include "tamis/backend.h"

HWY_BEFORE_NAMESPACE();
namespace tamis::simd::HWY_NAMESPACE {

// Keys hashed between two visits to the queue.
constexpr size_t kOwnedStage = 256;
// The largest Ops::kLead that there is room for.
constexpr size_t kMaxLead = 128;

// Places in the order of their keys: appended at the end, taken from the front.
class Queue {
 public:
  size_t size() const { return end_ - front_; }
  const Place* places() const { return place_ + front_; }

  // Room for a stage of keys, and for a whole vector at its end.
  void Reserve() {
    if (end_ + kOwnedStage + kGroup <= kRoom) return;
    std::memmove(place_, places(), size() * sizeof(Place));
    end_ -= front_;
    front_ = 0;
  }

  Place* end() { return place_ + end_; }
  void Append(size_t count) { end_ += count; }  // what was written at the end
  void Pop(size_t count) { front_ += count; }

 private:
  static constexpr size_t kRoom = 2 * kOwnedStage + kMaxLead + 64 + kGroup;
  HWY_ALIGN Place place_[kRoom];
  size_t front_ = 0;
  size_t end_ = 0;
};

template <class Ops, Verb kVerb>
class OwnedLoop {
 public:
  OwnedLoop(const Batch& batch, BlockRange owned, uint8_t* answers)
      : batch_(batch),
        first_owned_(static_cast<uint32_t>(owned.first)),
        owned_count_(static_cast<uint32_t>(owned.end - owned.first)),
        lead_(batch.in_memory() ? Ops::kLead : 0),
        deposit_(answers) {}

  uint64_t Run() {
    const uint64_t keys = batch_.keys.size();
    for (uint64_t first = 0; first < keys; first += kOwnedStage) {
      const auto count = static_cast<size_t>(HWY_MIN(keys - first, kOwnedStage));
      Append(batch_.keys.Slice(first, count), deposit_.Extend(count));
      const bool last = first + count == keys;
      for (; prefetched_ < HWY_MIN(lead_, queue_.size()); ++prefetched_) {
        Step::PrefetchFar(batch_.bits, queue_.places()[prefetched_]);
      }
      if (last) {
        Take(queue_.size());
      } else if (queue_.size() >= lead_ + 64) {
        Take((queue_.size() - lead_) / 64 * 64);
      }
    }
    return count_;
  }

 private:
  using Step = Steps<Ops, kVerb>;
  static constexpr uint64_t kAllLanes = (uint64_t{1} << hn::MaxLanes(U64())) - 1;
  static_assert(Ops::kLead <= kMaxLead);

  // Appends the owned places of a stage of keys, and writes which keys are owned, one bit a key.
  void Append(const Keys& keys, uint64_t* owned_bits) {
    queue_.Reserve();
    const uint64_t seed = batch_.spec.seed;
    const bool whole = keys.size() % kGroup == 0;
    if (whole && keys.kind() == Keys::Kind::kFixed && keys.width() == 8) {
      AppendFrom(Key8Source{keys.bytes(), seed}, keys.size(), owned_bits);
    } else if (whole && keys.kind() == Keys::Kind::kHashes) {
      AppendFrom(HashSource{reinterpret_cast<const char*>(keys.hashes())}, keys.size(), owned_bits);
    } else {
      // Into an array whose end may be read past.
      HWY_ALIGN uint64_t hashes[kOwnedStage + kGroup];
      HashKeys(keys, seed, hashes);
      std::memset(hashes + keys.size(), 0, kGroup * sizeof(uint64_t));
      AppendFrom(HashSource{reinterpret_cast<const char*>(hashes)}, keys.size(), owned_bits);
    }
  }

  template <class Source>
  HWY_INLINE void AppendFrom(const Source& source, size_t count, uint64_t* owned_bits) {
    Place* const begin = queue_.end();
    Place* end = begin;
    for (size_t i = 0; i < count; i += 64) {
      const size_t left = count - i;
      const uint64_t word =
          left < 64 ? AppendWord(source, i, left, end) : AppendWord(source, i, 64, end);
      if (owned_bits != nullptr) owned_bits[i / 64] = word;
    }
    queue_.Append(static_cast<size_t>(end - begin));
  }

  // Writes the owned ones among the `count` (at most 64) places from index `first` on to `end`,
  // which moves on; returns which they are, one bit a key.
  template <class Source>
  HWY_INLINE uint64_t AppendWord(const Source& source, size_t first, size_t count, Place*& end) {
    const auto blocks = static_cast<uint32_t>(batch_.spec.blocks);
    uint64_t word = 0;
    for (size_t i = 0; i < count; i += kAbreastKeys) {
      if (i % kGroup == 0) PrefetchKeys(source.items + (first + i) * 8);
      const Vectors places = LocateAll<Source>(source.At(first + i), blocks);
      uint64_t owned = Owned(places);
      if (count - i < kAbreastKeys) owned &= (uint64_t{1} << (count - i)) - 1;
      word |= owned << i;
      for (const V64 lanes : places.at) {
        end = Keep(lanes, static_cast<uint8_t>(owned & kAllLanes), end);
        owned >>= hn::Lanes(U64());
      }
    }
    return word;
  }

  // Whose block is the owner's, one bit a lane. A place is a number whose high half is the block.
  HWY_INLINE uint64_t Owned(const Vectors& places) const {
    const U64 d;
    const V64 first = hn::Set(d, uint64_t{first_owned_} << 32);
    const V64 count = hn::Set(d, uint64_t{owned_count_} << 32);
    uint64_t owned = 0;
    for (size_t i = 0; i < kAbreast; ++i) {
      uint8_t bits[8] = {};
      hn::StoreMaskBits(d, hn::Lt(hn::Sub(places.at[i], first), count), bits);
      owned |= uint64_t{bits[0]} << (i * hn::Lanes(d));
    }
    return owned;
  }

  // Writes the lanes whose bit is set to `end`, where there is room for all; returns what follows.
  static HWY_INLINE Place* Keep(V64 places, uint8_t mask, Place* end) {
    const U64 d;
#if HWY_ARCH_X86_64 && HWY_TARGET <= HWY_AVX3
    // Into a register, then a plain store: compressing into memory is microcode on some processors.
    // Highway would look the order up in a table, of which GCC 12 makes a copy each time.
    hn::StoreU(V64{_mm512_maskz_compress_epi64(mask, places.raw)}, d,
               reinterpret_cast<uint64_t*>(end));
    return end + std::popcount(mask);
#else
    HWY_ALIGN Place lanes[hn::MaxLanes(U64())];
    hn::Store(places, d, reinterpret_cast<uint64_t*>(lanes));
    for (size_t i = 0; i < hn::Lanes(d); ++i) {
      *end = lanes[i];
      end += (mask >> i) & 1;
    }
    return end;
#endif
  }

  // Takes `count` places from the front of the queue through their step.
  void Take(size_t count) {
    // Locals, since stores to found_ are to bytes and could change any member.
    std::byte* const bits = batch_.bits;
    const Place* const places = queue_.places();
    uint8_t* const found = found_;
    const size_t lead = lead_;
    size_t i = 0;
    if (lead != 0) {
      const size_t with_prefetch = HWY_MIN(count, queue_.size() - HWY_MIN(lead, queue_.size()));
      for (; i + 2 <= with_prefetch; i += 2) {
        Step::PrefetchFar(bits, places[i + lead]);
        Step::PrefetchFar(bits, places[i + lead + 1]);
        Step::Two(bits, places + i, found + i);
      }
    }
    for (; i + 2 <= count; i += 2) Step::Two(bits, places + i, found + i);
    if (i < count) Step::One(bits, places[i], found + i);
    if constexpr (kVerb != Verb::kInsert) Answer(count);
    queue_.Pop(count);
    prefetched_ = HWY_MIN(lead, queue_.size());
  }

  void Answer(size_t count) {
    for (size_t i = 0; i < count; i += 64) {
      const size_t valid = HWY_MIN(count - i, 64);
      const uint64_t word = Step::Answers(found_ + i, valid);
      count_ += static_cast<uint64_t>(std::popcount(word));
      deposit_.Put(word, valid);
    }
  }

  const Batch batch_;
  const uint32_t first_owned_;
  const uint32_t owned_count_;
  const size_t lead_;
  Deposit deposit_;
  size_t prefetched_ = 0;  // places at the queue's front whose blocks are under way
  uint64_t count_ = 0;
  Queue queue_;
  HWY_ALIGN uint8_t found_[kOwnedStage + kMaxLead + 2 * 64];
};

}  // namespace tamis::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TAMIS_SIMD_OWNED_INL_H_
