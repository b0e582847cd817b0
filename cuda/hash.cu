// The kernel that hashes keys.

#include "cuda/hash_keys.cuh"
#include "cuda/launch.cuh"

namespace tamis::gpu {

namespace {

__global__ void __launch_bounds__(kThreads) HashKernel(HashKeys work) {
  const int lane = WarpLanes().lane();
  ForTiles<kWarp>(work.keys.size, [&](uint64_t first) {
    const uint64_t i = first + lane;
    if (i < work.keys.size) work(i);
  });
}

}  // namespace

bool CanHash(const Spec& spec, const DeviceKeys& keys) { return HashesOnDevice(spec.hash, keys); }

void Hash(const Queue& queue, const Spec& spec, const DeviceKeys& keys, uint64_t* hashes) {
  if (keys.size == 0) return;
  const unsigned grid = GridFor(queue.device, (keys.size + kWarp - 1) / kWarp);
  HashKernel<<<grid, kThreads, 0, queue.stream>>>(
      {keys, spec.hash, spec.hash_seed(), spec.hash_words(), hashes});
  CheckLaunch("hashing keys on the device");
}

}  // namespace tamis::gpu
