// What the kernels do, as functions that any C++ compiler can call: each puts its work into a
// stream and returns, but for FindNew, which waits for counts on its way. All pointers are the
// device's.
#ifndef TAMIS_CUDA_KERNELS_H_
#define TAMIS_CUDA_KERNELS_H_

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "cuda/device.h"
#include "tamis/cuda/device_keys.h"
#include "tamis/spec.h"

namespace tamis::gpu {

/// A filter whose bits the device reaches.
struct DeviceBits {
  Spec spec;
  std::byte* bits;
};

/// Whether there are kernels for filters of this variant and hash scheme: split_block and
/// split_block_512 by XXH64.
bool Runs(const Spec& spec);

/// Where the work goes.
struct Queue {
  const Device& device;
  cudaStream_t stream;
};

/// Hashes of all keys (no views).
void Hash(const Queue& queue, const DeviceKeys& keys, uint64_t seed, uint64_t* hashes);

/// Answers n keys into `answers` (not if null; a multiple of 4 bytes in address) and adds how many
/// are present to *count.
void Contains(const Queue& queue, const DeviceBits& filter, const WordKeys& keys, uint64_t n,
              uint32_t* answers, uint64_t* count);

enum class InsertWay : uint8_t {
  kBlind,      ///< ORs at once: the filter fits into the second-level cache
  kLookFirst,  ///< reads, and ORs what is missing
  kPartition,  ///< sorts, and ORs in shared memory: many keys for every part of the filter
};

/// The way that should be fastest (cuda/README.md: predicted, not measured yet).
InsertWay InsertWayFor(const Device& device, const Spec& spec, uint64_t n);

/// Scratch that Insert needs for n keys.
uint64_t InsertScratchBytes(InsertWay way, const Spec& spec, uint64_t n);
/// Puts in n keys. With kPartition nothing else may be changing the filter.
void Insert(const Queue& queue, InsertWay way, const DeviceBits& filter, const WordKeys& keys,
            uint64_t n, void* scratch, uint64_t scratch_bytes);

/// Most keys of one call.
inline constexpr uint64_t kMostNew = uint64_t{1} << 31;
uint64_t InsertNewScratchBytes(const Spec& spec, uint64_t n);
/// Puts in n keys, writes which were new, as if they came one by one, into `answers` (as above),
/// and adds how many to *count. Nothing else may be changing the filter.
void InsertNew(const Queue& queue, const DeviceBits& filter, const WordKeys& keys, uint64_t n,
               uint32_t* answers, uint64_t* count, void* scratch, uint64_t scratch_bytes);

/// ORs `bytes` (a multiple of 32) bytes into others.
void Merge(const Queue& queue, std::byte* into, const std::byte* from, uint64_t bytes);

/// How many of the bits of `bytes` (a multiple of 32) bytes are set. Waits.
uint64_t CountSetBits(const Queue& queue, const std::byte* bits, uint64_t bytes);

}  // namespace tamis::gpu

#endif  // TAMIS_CUDA_KERNELS_H_
