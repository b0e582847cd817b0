// The lanes that run a kernel together. A kernel's body is a template over them: on the device the
// lanes are those of a warp or of a thread block; in tests on the host they are threads that meet
// in barriers (tests/host_lanes.h), so that the same body runs there, shuffles and all.
#ifndef TAMIS_CUDA_LANES_CUH_
#define TAMIS_CUDA_LANES_CUH_

#include <atomic>
#include <cstdint>

// What is compiled for the device alone, or, by a compiler that knows no device, for tests.
#if defined(__CUDACC__)
#define TAMIS_DEVICE __device__
#else
#define TAMIS_DEVICE
#endif

namespace tamis::gpu {

inline constexpr int kWarp = 32;

#if defined(__CUDACC__)

/// The 32 lanes of the calling thread's warp; every lane takes part in every call.
struct WarpLanes {
  TAMIS_DEVICE int lane() const { return static_cast<int>(threadIdx.x % kWarp); }
  /// Bit i is lane i's `yes`.
  TAMIS_DEVICE uint32_t Ballot(bool yes) const { return __ballot_sync(0xffffffff, yes); }
  /// `value` of lane `from`.
  TAMIS_DEVICE uint32_t Shuffle(uint32_t value, int from) const {
    return __shfl_sync(0xffffffff, value, from);
  }
};

/// All lanes of the calling thread's block.
struct BlockLanes {
  TAMIS_DEVICE uint32_t lane() const { return threadIdx.x; }
  TAMIS_DEVICE uint32_t size() const { return blockDim.x; }
  TAMIS_DEVICE void Sync() const { __syncthreads(); }
};

#endif

/// Lowers a word that other lanes may be reading and lowering.
TAMIS_DEVICE inline void AtomicMin(uint32_t* word, uint32_t value) {
#if defined(__CUDA_ARCH__)
  atomicMin(word, value);
#elif !defined(__CUDACC__)
  const std::atomic_ref<uint32_t> shared(*word);
  uint32_t seen = shared.load(std::memory_order_relaxed);
  while (value < seen && !shared.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
#endif
}

/// Adds to a counter that others add to.
TAMIS_DEVICE inline void AtomicAdd(uint64_t* counter, uint64_t value) {
#if defined(__CUDA_ARCH__)
  atomicAdd(reinterpret_cast<unsigned long long*>(counter), value);
#elif !defined(__CUDACC__)
  std::atomic_ref<uint64_t>(*counter).fetch_add(value, std::memory_order_relaxed);
#endif
}

/// How many bits are set.
TAMIS_DEVICE inline uint32_t CountBits(uint32_t word) {
#if defined(__CUDA_ARCH__)
  return static_cast<uint32_t>(__popc(word));
#else
  return static_cast<uint32_t>(__builtin_popcount(word));
#endif
}

/// Writes the answers for keys 32 * i to 32 * i + 31 of n, leaving bits past the end alone.
TAMIS_DEVICE inline void PutAnswerWord(uint32_t* answers, uint64_t i, uint32_t word, uint64_t n) {
  const uint64_t left = n - kWarp * i;
  const uint32_t mine = left >= kWarp ? 0xffffffff : (1U << left) - 1;
  answers[i] = mine == 0xffffffff ? word : (answers[i] & ~mine) | (word & mine);
}

/// A warp answers keys `first` (a multiple of 32) to first + 31 of n, a lane a key, by test(i),
/// into `answers`, if not null. Returns, in every lane, how many are ones.
template <typename Warp, typename Test>
TAMIS_DEVICE uint32_t AnswerTile(const Warp& warp, uint64_t first, uint64_t n, uint32_t* answers,
                                 Test&& test) {
  const uint64_t i = first + static_cast<uint64_t>(warp.lane());
  const uint32_t word = warp.Ballot(i < n && test(i));
  if (answers != nullptr && warp.lane() == 0) PutAnswerWord(answers, first / kWarp, word, n);
  return CountBits(word);
}

}  // namespace tamis::gpu

#endif  // TAMIS_CUDA_LANES_CUH_
