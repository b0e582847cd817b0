// Kernels that only read the filter, and the one that hashes keys.

#include "cuda/contains.cuh"
#include "cuda/launch.cuh"

namespace tamis::gpu {

namespace {

template <typename V>
__global__ void __launch_bounds__(kThreads)
    ContainsKernel(DeviceView<V> filter, WordKeys keys, uint64_t n, uint32_t* answers,
                   uint64_t* count) {
  const WarpLanes warp;
  uint64_t present = 0;
  ForTiles<kContainsTile<V>>(
      n, [&](uint64_t first) { present += ContainsTile(warp, filter, keys, first, n, answers); });
  if (warp.lane() == 0 && present != 0) AtomicAdd(count, present);
}

__global__ void __launch_bounds__(kThreads)
    HashKernel(DeviceKeys keys, uint64_t seed, uint64_t* hashes) {
  const int lane = WarpLanes().lane();
  ForTiles<kWarp>(keys.size, [&](uint64_t first) {
    const uint64_t i = first + lane;
    if (i < keys.size) hashes[i] = keys.HashAt(i, seed);
  });
}

}  // namespace

bool Runs(const Spec& spec) {
  return spec.hash == HashScheme::kXxh64 &&
         (spec.variant == Variant::kSplitBlock || spec.variant == Variant::kSplitBlock512);
}

void Contains(const Queue& queue, const DeviceBits& filter, const WordKeys& keys, uint64_t n,
              uint32_t* answers, uint64_t* count) {
  if (n == 0) return;
  WithView(filter, [&]<typename V>(const DeviceView<V>& view) {
    const uint64_t tiles = (n + kContainsTile<V> - 1) / kContainsTile<V>;
    ContainsKernel<V><<<GridFor(queue.device, tiles), kThreads, 0, queue.stream>>>(view, keys, n,
                                                                                   answers, count);
  });
  CheckLaunch("looking keys up on the device");
}

void Hash(const Queue& queue, const DeviceKeys& keys, uint64_t seed, uint64_t* hashes) {
  if (keys.size == 0) return;
  const unsigned grid = GridFor(queue.device, (keys.size + kWarp - 1) / kWarp);
  HashKernel<<<grid, kThreads, 0, queue.stream>>>(keys, seed, hashes);
  CheckLaunch("hashing keys on the device");
}

}  // namespace tamis::gpu
