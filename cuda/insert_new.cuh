// InsertNew: exact, and in batch order, in parallel.
//
//   keys        a  b  c  a  d  b          in batch order
//   places      sorted by block, stably: equal keys share a block, so they are neighbours, the
//               earlier first, in a "run" with all other keys of the block
//   runs        |a a|b b d|c|             no two runs share a block: they are walked in parallel,
//                                         each in order, by one thread with the block in registers
//   flags       1  1  1  0  1  0          a byte a key, then packed to bits
//
// A long run (one key over and over, or few blocks) would keep one thread busy while all others
// wait. A group of threads takes it by the second form of the rule: a key is new iff, for one of
// its bits, the bit was clear before the batch and no earlier key of the batch sets it. So all keys
// lower the first setter of each of their bits in a shared table, and then each looks whether it is
// the first setter of one that was clear.
//
// The pipeline runs on any Thrust system; tests run it on the host's. A System has:
//   policy()             the Thrust execution policy
//   Sort(s, n, bits)     sorts the words of `s` (cuda/sort.h) by those bits, stably, with their
//                        indices if there are any
//   WalkLongRuns(f, count)  calls f(lanes, table, i) for i = 0 to count - 1, each with lanes of its
//                        own and kTableWords<V> words that they share
#ifndef TAMIS_CUDA_INSERT_NEW_CUH_
#define TAMIS_CUDA_INSERT_NEW_CUH_

#include <thrust/copy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>

#include <bit>
#include <cstdint>
#include <type_traits>

#include "cuda/lanes.cuh"
#include "cuda/partition.cuh"
#include "cuda/sort.h"
#include "tamis/cuda/device_keys.h"
#include "tamis/cuda/device_view.cuh"

namespace tamis::gpu {

/// Keys of one block from which a group of threads takes them in place of one thread.
inline constexpr uint32_t kLongRun = 256;

/// Scratch for n keys.
struct InsertNewScratch {
  Sorted places;   ///< n words, with indices: where in the batch a place comes from
  uint8_t* flags;  ///< n zeros, out: 1 where the key is new
};

/// The bits of a place that hold the number of one of so many blocks.
inline SortBits BlockBits(uint64_t blocks) {
  return {32, 32 + static_cast<int>(std::bit_width(blocks - 1))};
}

/// Places sorted by block, cut into runs of equal blocks.
struct Runs {
  const uint64_t* places;
  const uint32_t* indices;
  uint32_t n;  // places
  const uint32_t* starts;
  uint32_t count;

  TAMIS_HOST_DEVICE uint32_t Begin(uint32_t run) const { return starts[run]; }
  TAMIS_HOST_DEVICE uint32_t End(uint32_t run) const {
    return run + 1 < count ? starts[run + 1] : n;
  }
};

/// Whether a place is the first of its run.
struct StartsRun {
  const uint64_t* places;
  TAMIS_HOST_DEVICE bool operator()(uint32_t i) const {
    return i == 0 || BlockOf(places[i]) != BlockOf(places[i - 1]);
  }
};

struct IsLong {
  Runs runs;
  TAMIS_HOST_DEVICE bool operator()(uint32_t run) const {
    return runs.End(run) - runs.Begin(run) >= kLongRun;
  }
};

/// One thread's walk over a run that is not long: in order, the block in registers if it may.
template <typename V>
struct WalkRun {
  DeviceView<V> filter;
  Runs runs;
  uint8_t* flags;

  TAMIS_HOST_DEVICE void operator()(uint32_t run) const {
    const uint32_t begin = runs.Begin(run);
    const uint32_t end = runs.End(run);
    if (end - begin >= kLongRun) return;
    using View = DeviceView<V>;
    using Block = typename View::Block;
    Block& home = filter.blocks[BlockOf(runs.places[begin])];
    std::conditional_t<View::kInRegisters, Block, Block&> block = home;
    bool changed = false;
    for (uint32_t i = begin; i < end; ++i) {
      if (!MarkBlock<V>(block.words, LowOf(runs.places[i]), filter.k)) continue;
      flags[runs.indices[i]] = 1;
      changed = true;
    }
    if (View::kInRegisters && changed) home = block;
  }
};

/// Entries of the table of first setters: one for each bit of a block.
template <typename V>
inline constexpr uint32_t kTableWords = 8 * DeviceView<V>::kBlockBytes;

/// A group's walk over a long run.
template <typename V>
struct WalkLongRun {
  static constexpr uint32_t kNobody = UINT32_MAX;
  using Word = typename V::Word;
  static constexpr uint32_t kWordBits = 8 * sizeof(Word);

  DeviceView<V> filter;
  Runs runs;
  const uint32_t* long_runs;
  uint8_t* flags;

  template <typename Lanes>
  TAMIS_DEVICE void operator()(const Lanes& lanes, uint32_t* table, uint32_t number) const {
    const uint32_t begin = runs.Begin(long_runs[number]);
    const uint32_t end = runs.End(long_runs[number]);
    Word* block = filter.blocks[BlockOf(runs.places[begin])].words;
    for (uint32_t i = lanes.lane(); i < kTableWords<V>; i += lanes.size()) table[i] = kNobody;
    lanes.Sync();
    for (uint32_t i = begin + lanes.lane(); i < end; i += lanes.size()) {
      EachBit<V>(LowOf(runs.places[i]), filter.k, [&](uint32_t at) {
        if (AtomicLoad(table + at) > i) AtomicMin(table + at, i);  // later keys only look
        return true;
      });
    }
    lanes.Sync();
    for (uint32_t i = begin + lanes.lane(); i < end; i += lanes.size()) {
      const bool stale = EachBit<V>(LowOf(runs.places[i]), filter.k, [&](uint32_t at) {
        return table[at] != i || (block[at / kWordBits] >> at % kWordBits & 1) != 0;
      });
      if (!stale) flags[runs.indices[i]] = 1;
    }
    lanes.Sync();
    for (uint32_t word = lanes.lane(); word < V::kWords; word += lanes.size()) {
      Word set = 0;
      for (uint32_t bit = 0; bit < kWordBits; ++bit) {
        if (table[word * kWordBits + bit] != kNobody) set |= Word{1} << bit;
      }
      block[word] |= set;
    }
  }
};

/// Puts in the n keys (1 to 2^31) and sets their flags.
template <typename V, typename System>
void FindNew(System& system, const DeviceView<V>& filter, const WordKeys& keys, uint32_t n,
             const InsertNewScratch& scratch) {
  const thrust::counting_iterator<uint32_t> numbers(0);
  Sorted s = scratch.places;
  thrust::transform(system.policy(), numbers, numbers + n, s.words, PlaceOf{keys, filter.count});
  thrust::sequence(system.policy(), s.indices, s.indices + n);
  system.Sort(s, n, BlockBits(filter.count));
  auto* starts = reinterpret_cast<uint32_t*>(s.spare);
  uint32_t* long_runs = starts + n;
  const auto count = static_cast<uint32_t>(
      thrust::copy_if(system.policy(), numbers, numbers + n, starts, StartsRun{s.words}) - starts);
  const Runs runs{s.words, s.indices, n, starts, count};
  const auto long_count = static_cast<uint32_t>(
      thrust::copy_if(system.policy(), numbers, numbers + count, long_runs, IsLong{runs}) -
      long_runs);
  // Nothing is allocated from here on: what fails for want of memory has not touched the filter.
  thrust::for_each_n(system.policy(), numbers, count, WalkRun<V>{filter, runs, scratch.flags});
  if (long_count != 0) {
    system.template WalkLongRuns<V>(WalkLongRun<V>{filter, runs, long_runs, scratch.flags},
                                    long_count);
  }
}

/// A warp packs the flags of keys `first` (a multiple of 32) to first + 31 of n into answers, if
/// not null. Returns, in every lane, how many are set.
template <typename Warp>
TAMIS_DEVICE uint32_t PackTile(const Warp& warp, const uint8_t* flags, uint64_t first, uint64_t n,
                               uint32_t* answers) {
  return AnswerTile(warp, first, n, answers, [&](uint64_t i) { return flags[i] != 0; });
}

}  // namespace tamis::gpu

#endif  // TAMIS_CUDA_INSERT_NEW_CUH_
