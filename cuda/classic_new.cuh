// InsertNew into a classic filter: exact, and in batch order, in parallel.
//
//   keys     0      1      2      in batch order, k = 2
//   pairs    5,0 9,0 9,1 3,1 5,2 7,2    (position, key) of every bit, in key order
//            5,0     9,1     5,2 7,2    9 of key 0 and 3 were set before the batch: those are left
//            out
//   sorted   5,0 5,2 7,2 9,1    by position, stably: of equal positions the earliest key is first
//   firsts   5,0     7,2 9,1    each first of its position sets the bit, and its key is new
//
// which is the rule itself: a key is new iff for one of its bits, clear before the batch, no
// earlier key of the batch sets it. One key over and over is no special case, and costs no more.
//
// A pair is one 64-bit word, the position above the key's number, so that it is sorted and moved as
// one. Runs on any system that insert_new.cuh runs on.
#ifndef TAMIS_CUDA_CLASSIC_NEW_CUH_
#define TAMIS_CUDA_CLASSIC_NEW_CUH_

#include <thrust/copy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

#include <bit>
#include <cstdint>
#include <utility>

#include "cuda/classic.cuh"
#include "cuda/sort.h"
#include "tamis/cuda/device_keys.h"

namespace tamis::gpu {

/// Pairs of positions below m, and numbers of keys below 2^key_bits.
struct PairForm {
  static constexpr uint64_t kNone = UINT64_MAX;  // no pair: its position is above all

  int key_bits;

  explicit constexpr PairForm(uint64_t m) : key_bits(64 - static_cast<int>(std::bit_width(m))) {}

  SortBits position_bits() const { return {key_bits, 64}; }
  TAMIS_HOST_DEVICE uint64_t Of(uint64_t position, uint64_t key) const {
    return position << key_bits | key;
  }
  TAMIS_HOST_DEVICE uint64_t PositionOf(uint64_t pair) const { return pair >> key_bits; }
  TAMIS_HOST_DEVICE uint64_t KeyOf(uint64_t pair) const {
    return pair & ((uint64_t{1} << key_bits) - 1);
  }
};

/// Writes key i's pairs to pairs[k * i] and on, kNone for bits that are set already.
struct MakePairs {
  ClassicView filter;
  WordKeys keys;
  PairForm form;
  uint64_t* pairs;

  TAMIS_HOST_DEVICE void operator()(uint32_t key) const {
    uint64_t* own = pairs + uint64_t{key} * static_cast<unsigned>(filter.k);
    filter.EachPosition(keys.WordsAt(key), [&](uint64_t position, int i) {
      own[i] = filter.IsSet(position) ? PairForm::kNone : form.Of(position, key);
      return true;
    });
  }
};

struct IsPair {
  TAMIS_HOST_DEVICE bool operator()(uint64_t pair) const { return pair != PairForm::kNone; }
};

/// Of sorted pairs: if pair i is the first of its position, sets the bit and the key's flag.
struct TakeFirst {
  ClassicView filter;
  PairForm form;
  const uint64_t* pairs;
  uint8_t* flags;

  TAMIS_HOST_DEVICE void operator()(uint32_t i) const {
    const uint64_t position = form.PositionOf(pairs[i]);
    if (i != 0 && form.PositionOf(pairs[i - 1]) == position) return;
    filter.Set(position);
    flags[form.KeyOf(pairs[i])] = 1;
  }
};

/// Scratch for n keys.
struct ClassicNewScratch {
  Sorted pairs;    ///< n * k words, without indices
  uint8_t* flags;  ///< n zeros, out: 1 where the key is new
};

/// Most pairs at a time: half a gigabyte, and as much again to sort them.
inline constexpr uint64_t kMostPairs = uint64_t{1} << 26;

/// Puts in the n keys (1 to InsertNewChunk()) and sets their flags.
template <typename System>
void FindNew(System& system, const ClassicView& filter, const WordKeys& keys, uint32_t n,
             const ClassicNewScratch& scratch) {
  const thrust::counting_iterator<uint32_t> numbers(0);
  const PairForm form(filter.range.size);
  Sorted pairs = scratch.pairs;
  thrust::for_each_n(system.policy(), numbers, n, MakePairs{filter, keys, form, pairs.words});
  const uint64_t all = uint64_t{n} * static_cast<unsigned>(filter.k);
  const uint64_t* end =
      thrust::copy_if(system.policy(), pairs.words, pairs.words + all, pairs.spare, IsPair());
  const auto count = static_cast<uint32_t>(end - pairs.spare);
  if (count == 0) return;
  std::swap(pairs.words, pairs.spare);
  system.Sort(pairs, count, form.position_bits());
  // Nothing is allocated from here on: what fails for want of memory has not touched the filter.
  thrust::for_each_n(system.policy(), numbers, count,
                     TakeFirst{filter, form, pairs.words, scratch.flags});
}

}  // namespace tamis::gpu

#endif  // TAMIS_CUDA_CLASSIC_NEW_CUH_
