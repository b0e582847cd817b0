// InsertNew on the device: the pipelines of insert_new.cuh and classic_new.cuh with CUB's sort and
// a thread block for every long run; and Merge and counting bits, which are Thrust's alone.

#include <thrust/system_error.h>
#include <thrust/transform_reduce.h>

#include <algorithm>
#include <new>
#include <string>

#include "cuda/classic_new.cuh"
#include "cuda/insert_new.cuh"
#include "cuda/launch.cuh"
#include "cuda/sort.h"
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
  CudaSystem(const Queue& queue, Workspace& workspace) : queue_(queue), workspace_(workspace) {}

  auto policy() { return thrust::cuda::par_nosync(workspace_).on(queue_.stream); }

  void Sort(Sorted& sorted, uint64_t n, SortBits bits) {
    const uint64_t bytes = SortScratchBytes(n, bits, sorted.indices != nullptr);
    gpu::Sort(queue_, sorted, n, bits, workspace_.Take<char>(bytes), bytes);
  }

  template <typename V>
  void WalkLongRuns(const WalkLongRun<V>& walk, uint32_t count) {
    LongRunKernel<V><<<count, kThreads, 0, queue_.stream>>>(walk);
    CheckLaunch("walking long runs on the device");
  }

 private:
  const Queue& queue_;
  Workspace& workspace_;
};

void FindNew(CudaSystem& system, Workspace& workspace, const ClassicView& view,
             const WordKeys& keys, uint32_t n, uint8_t* flags) {
  const uint64_t pairs = uint64_t{n} * static_cast<unsigned>(view.k);
  FindNew(
      system, view, keys, n,
      ClassicNewScratch{{workspace.Take<uint64_t>(pairs), workspace.Take<uint64_t>(pairs)}, flags});
}
template <typename V>
void FindNew(CudaSystem& system, Workspace& workspace, const DeviceView<V>& view,
             const WordKeys& keys, uint32_t n, uint8_t* flags) {
  FindNew(system, view, keys, n,
          InsertNewScratch{{workspace.Take<uint64_t>(n), workspace.Take<uint64_t>(n),
                            workspace.Take<uint32_t>(n), workspace.Take<uint32_t>(n)},
                           flags});
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

uint64_t InsertNewChunk(const Spec& spec) {
  constexpr uint64_t kMost = uint64_t{1} << 25;
  if (!spec.classic()) return kMost;
  const uint64_t numbers = uint64_t{1} << PairForm(spec.m).key_bits;  // 2^15 or more, by Runs()
  return std::min({kMost, kMostPairs / static_cast<unsigned>(spec.k), numbers}) / 64 * 64;
}

uint64_t InsertNewScratchBytes(const Spec& spec, uint64_t n) {
  if (n == 0) return 0;
  const uint64_t words = spec.classic() ? n * static_cast<unsigned>(spec.k) : n;
  const SortBits bits = spec.classic() ? PairForm(spec.m).position_bits() : BlockBits(spec.blocks);
  const uint64_t indices = spec.classic() ? 0 : 2 * Workspace::Rounded(n * sizeof(uint32_t));
  // Thrust's selections keep a few words for every tile of some thousand of what they select from.
  const uint64_t thrust = words / 16 + (uint64_t{1} << 20);
  return 2 * Workspace::Rounded(words * sizeof(uint64_t)) + indices + Workspace::Rounded(n) +
         Workspace::Rounded(SortScratchBytes(words, bits, !spec.classic())) + thrust;
}

void InsertNew(const Queue& queue, const DeviceBits& filter, const WordKeys& keys, uint64_t n,
               uint32_t* answers, uint64_t* count, void* scratch, uint64_t scratch_bytes) {
  if (n == 0) return;
  Translated("finding new keys on the device", [&] {
    Workspace workspace(scratch, scratch_bytes);
    auto* flags = workspace.Take<uint8_t>(n);
    Check(cudaMemsetAsync(flags, 0, n, queue.stream), "clearing flags on the device");
    CudaSystem system(queue, workspace);
    WithView(filter, [&](const auto& view) {
      FindNew(system, workspace, view, keys, static_cast<uint32_t>(n), flags);
    });
    const unsigned grid = GridFor(queue.device, (n + kWarp - 1) / kWarp);
    PackKernel<<<grid, kThreads, 0, queue.stream>>>(flags, n, answers, count);
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
