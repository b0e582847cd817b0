// Insert by partitions, for batches so large that every part of the filter gets many keys: keys are
// sorted by the top bits of their blocks (only so far that a partition's blocks fit into a thread
// block's shared memory), then each partition is read, ORed in shared memory and written once.
// Memory then sees whole lines in order in place of single sectors in disorder.
//
// The same sorted places serve InsertNew (insert_new.cuh). A place is one 64-bit word, the block in
// its upper half, the half of the hash that picks the bits in its lower.
#ifndef TAMIS_CUDA_PARTITION_CUH_
#define TAMIS_CUDA_PARTITION_CUH_

#include <bit>
#include <cstddef>
#include <cstdint>

#include "cuda/lanes.cuh"
#include "tamis/cuda/device_keys.h"
#include "tamis/cuda/device_view.cuh"

namespace tamis::gpu {

/// From the number of a key to its place.
struct PlaceOf {
  WordKeys keys;
  uint32_t blocks;

  TAMIS_HOST_DEVICE uint64_t operator()(uint64_t i) const {
    const Place at = Locate(keys.HashAt(i), blocks);
    return uint64_t{at.block} << 32 | at.low;
  }
};

TAMIS_HOST_DEVICE constexpr uint32_t BlockOf(uint64_t place) {
  return static_cast<uint32_t>(place >> 32);
}
TAMIS_HOST_DEVICE constexpr uint32_t LowOf(uint64_t place) { return static_cast<uint32_t>(place); }

/// Shared memory of a partition: 32 KiB, so that several are at work on a multiprocessor at once.
inline constexpr uint32_t kPartitionBytes = 32 << 10;

/// A partition is the blocks whose numbers agree but for so many low bits.
template <typename V>
inline constexpr int kPartitionShift = std::countr_zero(kPartitionBytes /
                                                        uint32_t{DeviceView<V>::kBlockBytes});

/// The first of n places, sorted by `block >> shift`, whose partition is `partition` or later.
TAMIS_HOST_DEVICE inline uint64_t FirstOfPartition(const uint64_t* places, uint64_t n,
                                                   uint64_t partition, int shift) {
  uint64_t begin = 0;
  while (begin < n) {
    const uint64_t middle = begin + (n - begin) / 2;
    if ((BlockOf(places[middle]) >> shift) < partition) {
      begin = middle + 1;
    } else {
      n = middle;
    }
  }
  return begin;
}

/// Puts in the keys of one partition. `shared` is kPartitionBytes of memory that the lanes share.
/// Words of 64 bits are taken for two of 32: the device ORs no wider ones in shared memory.
template <typename V, typename Lanes>
TAMIS_DEVICE void InsertPartition(const Lanes& lanes, const DeviceView<V>& filter,
                                  const uint64_t* places, uint64_t n, uint64_t partition,
                                  uint32_t* shared) {
  constexpr uint32_t kBlockHalves = DeviceView<V>::kBlockBytes / sizeof(uint32_t);
  constexpr int kShift = kPartitionShift<V>;
  const uint64_t begin = FirstOfPartition(places, n, partition, kShift);
  const uint64_t end = FirstOfPartition(places, n, partition + 1, kShift);
  if (begin == end) return;
  const uint64_t first_block = partition << kShift;
  const uint64_t blocks_left = filter.count - first_block;
  const auto halves = static_cast<uint32_t>(
      kBlockHalves * (blocks_left < (1U << kShift) ? blocks_left : (1U << kShift)));
  auto* own = reinterpret_cast<uint32_t*>(filter.blocks + first_block);
  for (uint32_t i = lanes.lane(); i < halves; i += lanes.size()) shared[i] = own[i];
  lanes.Sync();
  for (uint64_t i = begin + lanes.lane(); i < end; i += lanes.size()) {
    uint32_t* block = shared + (BlockOf(places[i]) - first_block) * kBlockHalves;
    EachBit<V>(LowOf(places[i]), filter.k, [&](uint32_t at) {
      uint32_t* half = block + at / 32;
      const uint32_t mask = 1U << at % 32;
      // Looking first keeps the repeats of one key from queueing for its words.
      if ((AtomicLoad(half) & mask) == 0) AtomicOr(half, mask);
      return true;
    });
  }
  lanes.Sync();
  for (uint32_t i = lanes.lane(); i < halves; i += lanes.size()) own[i] = shared[i];
}

}  // namespace tamis::gpu

#endif  // TAMIS_CUDA_PARTITION_CUH_
