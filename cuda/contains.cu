// Kernels that only read the filter.

#include "cuda/contains.cuh"
#include "cuda/launch.cuh"

namespace tamis::gpu {

namespace {

template <typename View>
__global__ void __launch_bounds__(kThreads)
    ContainsKernel(View filter, WordKeys keys, uint64_t n, uint32_t* answers, uint64_t* count) {
  const WarpLanes warp;
  uint64_t present = 0;
  ForTiles<kContainsTile<View>>(
      n, [&](uint64_t first) { present += ContainsTile(warp, filter, keys, first, n, answers); });
  if (warp.lane() == 0 && present != 0) AtomicAdd(count, present);
}

}  // namespace

void Contains(const Queue& queue, const DeviceBits& filter, const WordKeys& keys, uint64_t n,
              uint32_t* answers, uint64_t* count) {
  if (n == 0) return;
  WithView(filter, [&]<typename View>(const View& view) {
    const uint64_t tiles = (n + kContainsTile<View> - 1) / kContainsTile<View>;
    ContainsKernel<View><<<GridFor(queue.device, tiles), kThreads, 0, queue.stream>>>(
        view, keys, n, answers, count);
  });
  CheckLaunch("looking keys up on the device");
}

}  // namespace tamis::gpu
