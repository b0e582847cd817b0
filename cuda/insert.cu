// Insert, in its three ways.

#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform.h>

#include <algorithm>
#include <bit>

#include "cuda/insert.cuh"
#include "cuda/launch.cuh"
#include "cuda/partition.cuh"
#include "cuda/sort.h"
#include "cuda/workspace.cuh"

namespace tamis::gpu {

namespace {

template <bool kLookFirst, typename View>
__global__ void __launch_bounds__(kThreads) InsertKernel(View filter, WordKeys keys, uint64_t n) {
  const WarpLanes warp;
  ForTiles<kInsertTile>(
      n, [&](uint64_t first) { InsertTile<kLookFirst>(warp, filter, keys, first, n); });
}

template <typename V>
__global__ void __launch_bounds__(kThreads)
    InsertPartitionKernel(DeviceView<V> filter, const uint64_t* places, uint64_t n) {
  __shared__ uint32_t shared[kPartitionBytes / sizeof(uint32_t)];
  InsertPartition(BlockLanes(), filter, places, n, blockIdx.x, shared);
}

// The bits of a place's block that name its partition.
SortBits PartitionBits(const Spec& spec) {
  const int shift = std::countr_zero(kPartitionBytes / spec.block_bytes());
  return {32 + shift, 32 + std::max(shift, static_cast<int>(std::bit_width(spec.blocks - 1)))};
}

template <typename V>
void InsertByPartitions(const Queue& queue, const DeviceBits& filter, const DeviceView<V>& view,
                        const WordKeys& keys, uint64_t n, Workspace workspace) {
  const SortBits bits = PartitionBits(filter.spec);
  Sorted places = {workspace.Take<uint64_t>(n), workspace.Take<uint64_t>(n)};
  const uint64_t bytes = SortScratchBytes(n, bits, false);
  void* temporary = workspace.Take<char>(bytes);
  const thrust::counting_iterator<uint64_t> numbers(0);
  thrust::transform(thrust::cuda::par_nosync(workspace).on(queue.stream), numbers, numbers + n,
                    places.words, PlaceOf{keys, view.count});
  Sort(queue, places, n, bits, temporary, bytes);
  const auto partitions = static_cast<unsigned>(((view.count - 1) >> kPartitionShift<V>)+1);
  InsertPartitionKernel<V><<<partitions, kThreads, 0, queue.stream>>>(view, places.words, n);
}

}  // namespace

InsertWay InsertWayFor(const Device& device, const Spec& spec, uint64_t n) {
  // Partitions pass over the whole filter: worth it when most sectors of it get a key anyway.
  const uint64_t sectors = spec.bytes() / std::max<uint64_t>(32, spec.block_bytes());
  if (!spec.classic() && spec.bytes() > device.l2_bytes && n >= 2 * sectors) {
    return InsertWay::kPartition;
  }
  return spec.bytes() > device.l2_bytes / 2 ? InsertWay::kLookFirst : InsertWay::kBlind;
}

uint64_t InsertScratchBytes(InsertWay way, const Spec& spec, uint64_t n) {
  if (way != InsertWay::kPartition || n == 0) return 0;
  return 2 * Workspace::Rounded(n * sizeof(uint64_t)) +
         Workspace::Rounded(SortScratchBytes(n, PartitionBits(spec), false)) +
         Workspace::kAlignment;
}

void Insert(const Queue& queue, InsertWay way, const DeviceBits& filter, const WordKeys& keys,
            uint64_t n, void* scratch, uint64_t scratch_bytes) {
  if (n == 0) return;
  const unsigned grid = GridFor(queue.device, (n + kInsertTile - 1) / kInsertTile);
  WithView(filter, [&]<typename View>(const View& view) {
    switch (way) {
      case InsertWay::kBlind:
        InsertKernel<false><<<grid, kThreads, 0, queue.stream>>>(view, keys, n);
        break;
      case InsertWay::kLookFirst:
        InsertKernel<true><<<grid, kThreads, 0, queue.stream>>>(view, keys, n);
        break;
      case InsertWay::kPartition:
        if constexpr (!std::is_same_v<View, ClassicView>) {
          InsertByPartitions(queue, filter, view, keys, n, Workspace(scratch, scratch_bytes));
        }
        break;
    }
  });
  CheckLaunch("inserting keys on the device");
}

}  // namespace tamis::gpu
