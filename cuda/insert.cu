// Insert, in its three ways.

#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform.h>

#include <bit>
#include <cub/device/device_radix_sort.cuh>

#include "cuda/insert.cuh"
#include "cuda/launch.cuh"
#include "cuda/partition.cuh"
#include "cuda/workspace.cuh"

namespace tamis::gpu {

namespace {

template <typename V, bool kLookFirst>
__global__ void __launch_bounds__(kThreads)
    InsertKernel(DeviceView<V> filter, WordKeys keys, uint64_t n) {
  const WarpLanes warp;
  ForTiles<kInsertTile>(
      n, [&](uint64_t first) { InsertTile<V, kLookFirst>(warp, filter, keys, first, n); });
}

template <typename V>
__global__ void __launch_bounds__(kThreads)
    InsertPartitionKernel(DeviceView<V> filter, const uint64_t* places, uint64_t n) {
  __shared__ uint32_t shared[kPartitionBytes / sizeof(uint32_t)];
  InsertPartition(BlockLanes(), filter, places, n, blockIdx.x, shared);
}

// Sorts by the bits of the block that name its partition.
cudaError_t SortPlaces(void* temporary, size_t& bytes, cub::DoubleBuffer<uint64_t>& places,
                       uint64_t n, const Spec& spec, int shift, cudaStream_t stream) {
  const int end = 32 + std::max(shift, static_cast<int>(std::bit_width(spec.blocks - 1)));
  return cub::DeviceRadixSort::SortKeys(temporary, bytes, places, n, 32 + shift, end, stream);
}

int ShiftFor(const Spec& spec) {
  return spec.variant == Variant::kSplitBlock512 ? kPartitionShift<SplitBlock512>
                                                 : kPartitionShift<SplitBlock>;
}

size_t SortBytes(const Spec& spec, uint64_t n) {
  cub::DoubleBuffer<uint64_t> places;
  size_t bytes = 0;
  Check(SortPlaces(nullptr, bytes, places, n, spec, ShiftFor(spec), nullptr), "planning a sort");
  return bytes;
}

template <typename V>
void InsertByPartitions(const Queue& queue, const DeviceBits& filter, const DeviceView<V>& view,
                        const WordKeys& keys, uint64_t n, Workspace workspace) {
  size_t bytes = SortBytes(filter.spec, n);
  auto* first = workspace.Take<uint64_t>(n);
  cub::DoubleBuffer<uint64_t> places(first, workspace.Take<uint64_t>(n));
  void* temporary = workspace.Take<char>(bytes);
  const thrust::counting_iterator<uint64_t> numbers(0);
  thrust::transform(thrust::cuda::par_nosync(workspace).on(queue.stream), numbers, numbers + n,
                    first, PlaceOf{keys, view.count});
  constexpr int kShift = kPartitionShift<V>;
  Check(SortPlaces(temporary, bytes, places, n, filter.spec, kShift, queue.stream),
        "sorting keys on the device");
  const auto partitions = static_cast<unsigned>(((view.count - 1) >> kShift) + 1);
  InsertPartitionKernel<V><<<partitions, kThreads, 0, queue.stream>>>(view, places.Current(), n);
}

}  // namespace

InsertWay InsertWayFor(const Device& device, const Spec& spec, uint64_t n) {
  // Partitions pass over the whole filter: worth it when most sectors of it get a key anyway.
  if (spec.bytes() > device.l2_bytes && n >= 2 * spec.blocks) return InsertWay::kPartition;
  return spec.bytes() > device.l2_bytes / 2 ? InsertWay::kLookFirst : InsertWay::kBlind;
}

uint64_t InsertScratchBytes(InsertWay way, const Spec& spec, uint64_t n) {
  if (way != InsertWay::kPartition || n == 0) return 0;
  return 2 * Workspace::Rounded(n * sizeof(uint64_t)) + Workspace::Rounded(SortBytes(spec, n)) +
         Workspace::kAlignment;
}

void Insert(const Queue& queue, InsertWay way, const DeviceBits& filter, const WordKeys& keys,
            uint64_t n, void* scratch, uint64_t scratch_bytes) {
  if (n == 0) return;
  const unsigned grid = GridFor(queue.device, (n + kInsertTile - 1) / kInsertTile);
  WithView(filter, [&]<typename V>(const DeviceView<V>& view) {
    switch (way) {
      case InsertWay::kBlind:
        InsertKernel<V, false><<<grid, kThreads, 0, queue.stream>>>(view, keys, n);
        break;
      case InsertWay::kLookFirst:
        InsertKernel<V, true><<<grid, kThreads, 0, queue.stream>>>(view, keys, n);
        break;
      case InsertWay::kPartition:
        InsertByPartitions(queue, filter, view, keys, n, Workspace(scratch, scratch_bytes));
        break;
    }
  });
  CheckLaunch("inserting keys on the device");
}

}  // namespace tamis::gpu
