// How kernels are launched: grids that fit the device, and the variant's type from its number.
#ifndef TAMIS_CUDA_LAUNCH_CUH_
#define TAMIS_CUDA_LAUNCH_CUH_

#include <algorithm>
#include <cstdint>

#include "cuda/check.h"
#include "cuda/classic.cuh"
#include "cuda/kernels.h"
#include "cuda/lanes.cuh"
#include "tamis/cuda/device_view.cuh"

namespace tamis::gpu {

inline constexpr unsigned kThreads = 256;  // of a thread block
inline constexpr unsigned kWarps = kThreads / kWarp;

/// Thread blocks for so many tiles of one warp each: as many as are resident at once, which then go
/// on to further tiles.
inline unsigned GridFor(const Device& device, uint64_t tiles) {
  constexpr int kResident = 2048 / kThreads;  // a multiprocessor holds so many
  const auto most = static_cast<uint64_t>(device.multiprocessors) * kResident;
  return static_cast<unsigned>(std::clamp<uint64_t>((tiles + kWarps - 1) / kWarps, 1, most));
}

/// Calls f(first key of a tile) for the tiles of the calling warp.
template <uint64_t kTile, typename F>
__device__ void ForTiles(uint64_t n, F&& f) {
  const uint64_t step = uint64_t{gridDim.x} * kWarps * kTile;
  // Of lane 0, so that the compiler sees that all lanes go through the loop together.
  const uint32_t own = WarpLanes().Shuffle(threadIdx.x / kWarp, 0);
  const uint64_t warp = uint64_t{blockIdx.x} * kWarps + own;
  for (uint64_t first = warp * kTile; first < n; first += step) f(first);
}

template <typename V>
DeviceView<V> ViewOf(const DeviceBits& filter) {
  return {.blocks = reinterpret_cast<typename DeviceView<V>::Block*>(filter.bits),
          .count = static_cast<uint32_t>(filter.spec.blocks),
          .seed = filter.spec.seed,
          .k = filter.spec.k};
}

/// Calls f with the view of the filter's own variant: a DeviceView<V> or a ClassicView.
template <typename F>
void WithView(const DeviceBits& filter, F&& f) {
  VisitVariant(filter.spec.variant, [&]<typename V>(V) {
    if constexpr (V::kBlocked) {
      f(ViewOf<V>(filter));
    } else {
      f(ClassicView::Of(filter.spec, filter.bits));
    }
  });
}

}  // namespace tamis::gpu

#endif  // TAMIS_CUDA_LAUNCH_CUH_
