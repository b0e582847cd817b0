// InsertNew on the device: the pipeline of insert_new.cuh with CUB's sort and a thread block for
// every long run; and Merge and counting bits, which are Thrust's alone.

#include <thrust/system_error.h>
#include <thrust/transform_reduce.h>

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>

#include "cuda/insert_new.cuh"
#include "cuda/launch.cuh"
#include "cuda/workspace.cuh"

namespace tamis::gpu {

namespace {

template <typename V>
__global__ void __launch_bounds__(kThreads) LongRunKernel(WalkLongRun<V> walk) {
  __shared__ uint32_t table[kTableWords<V>];
  walk(BlockLanes(), table, blockIdx.x);
}

__global__ void __launch_bounds__(kThreads)
    PackKernel(const uint8_t* flags, uint64_t n, uint32_t* answers, uint64_t* count) {
  const WarpLanes warp;
  uint64_t fresh = 0;
  ForTiles<kWarp>(n, [&](uint64_t first) { fresh += PackTile(warp, flags, first, n, answers); });
  if (warp.lane() == 0 && fresh != 0) AtomicAdd(count, fresh);
}

// What insert_new.cuh calls a System.
class CudaSystem {
 public:
  CudaSystem(cudaStream_t stream, Workspace& workspace) : stream_(stream), workspace_(workspace) {}

  auto policy() { return thrust::cuda::par_nosync(workspace_).on(stream_); }

  static size_t SortBytes(uint64_t n, int block_bits) {
    cub::DoubleBuffer<uint64_t> places;
    cub::DoubleBuffer<uint32_t> indices;
    size_t bytes = 0;
    Check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, places, indices, n, 32, 32 + block_bits),
          "planning a sort");
    return bytes;
  }

  void SortPairs(InsertNewScratch& s, uint32_t n, int block_bits) {
    if (block_bits == 0) return;  // one block: in order as they are
    cub::DoubleBuffer<uint64_t> places(s.places, s.spare);
    cub::DoubleBuffer<uint32_t> indices(s.indices, s.spare_indices);
    size_t bytes = SortBytes(n, block_bits);
    void* temporary = workspace_.Take<char>(bytes);
    Check(cub::DeviceRadixSort::SortPairs(temporary, bytes, places, indices, uint64_t{n}, 32,
                                          32 + block_bits, stream_),
          "sorting keys on the device");
    s.places = places.Current();
    s.spare = places.Alternate();
    s.indices = indices.Current();
    s.spare_indices = indices.Alternate();
  }

  template <typename V>
  void WalkLongRuns(const WalkLongRun<V>& walk, uint32_t count) {
    LongRunKernel<V><<<count, kThreads, 0, stream_>>>(walk);
    CheckLaunch("walking long runs on the device");
  }

 private:
  cudaStream_t stream_;
  Workspace& workspace_;
};

int BlockBits(const Spec& spec) {
  return std::max(1, static_cast<int>(std::bit_width(spec.blocks - 1)));
}

// What Thrust throws becomes ours.
template <typename F>
auto Translated(const char* action, F&& f) {
  try {
    return f();
  } catch (const thrust::system_error& error) {
    cudaGetLastError();
    throw DeviceError(std::string(action) + ": " + error.what());
  } catch (const std::bad_alloc&) {
    throw MemoryError(std::string(action) + ": the device's scratch memory is used up");
  }
}

struct CountWordBits {
  __device__ uint64_t operator()(unsigned long long word) const { return __popcll(word); }
};

}  // namespace

uint64_t InsertNewScratchBytes(const Spec& spec, uint64_t n) {
  if (n == 0) return 0;
  const uint64_t arrays = 2 * Workspace::Rounded(n * sizeof(uint64_t)) +
                          2 * Workspace::Rounded(n * sizeof(uint32_t)) + Workspace::Rounded(n);
  // Thrust's selections keep a few words for every tile of some thousand keys.
  const uint64_t thrust = n / 16 + (uint64_t{1} << 20);
  return arrays + Workspace::Rounded(CudaSystem::SortBytes(n, BlockBits(spec))) + thrust;
}

void InsertNew(const Queue& queue, const DeviceBits& filter, const WordKeys& keys, uint64_t n,
               uint32_t* answers, uint64_t* count, void* scratch, uint64_t scratch_bytes) {
  if (n == 0) return;
  Translated("finding new keys on the device", [&] {
    Workspace workspace(scratch, scratch_bytes);
    InsertNewScratch s{.places = workspace.Take<uint64_t>(n),
                       .spare = workspace.Take<uint64_t>(n),
                       .indices = workspace.Take<uint32_t>(n),
                       .spare_indices = workspace.Take<uint32_t>(n),
                       .flags = workspace.Take<uint8_t>(n)};
    Check(cudaMemsetAsync(s.flags, 0, n, queue.stream), "clearing flags on the device");
    CudaSystem system(queue.stream, workspace);
    WithView(filter, [&]<typename V>(const DeviceView<V>& view) {
      FindNew(system, view, keys, static_cast<uint32_t>(n), s);
    });
    const unsigned grid = GridFor(queue.device, (n + kWarp - 1) / kWarp);
    PackKernel<<<grid, kThreads, 0, queue.stream>>>(s.flags, n, answers, count);
    CheckLaunch("packing answers on the device");
  });
}

void Merge(const Queue& queue, std::byte* into, const std::byte* from, uint64_t bytes) {
  auto* words = reinterpret_cast<unsigned long long*>(into);
  const auto* others = reinterpret_cast<const unsigned long long*>(from);
  Translated("merging filters on the device", [&] {
    thrust::transform(thrust::cuda::par_nosync.on(queue.stream), words, words + bytes / 8, others,
                      words, thrust::bit_or<unsigned long long>());
  });
}

uint64_t CountSetBits(const Queue& queue, const std::byte* bits, uint64_t bytes) {
  const auto* words = reinterpret_cast<const unsigned long long*>(bits);
  return Translated("counting bits on the device", [&] {
    return thrust::transform_reduce(thrust::cuda::par.on(queue.stream), words, words + bytes / 8,
                                    CountWordBits(), uint64_t{0}, thrust::plus<uint64_t>());
  });
}

}  // namespace tamis::gpu
