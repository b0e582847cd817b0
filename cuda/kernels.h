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

/// Most bits of a classic filter here, 32 TiB: those that it leaves of a 64-bit word number keys.
inline constexpr uint64_t kMostBits = uint64_t{1} << 48;

/// Whether there are kernels for such filters: all but classic ones of more than kMostBits bits.
inline bool Runs(const Spec& spec) { return !spec.classic() || spec.m <= kMostBits; }

/// Where the work goes.
struct Queue {
  const Device& device;
  cudaStream_t stream;
};

/// Whether Hash() takes such keys for such filters. Else the host has to hash them: views, and, by
/// XXH3, whatever is not 8 bytes.
bool CanHash(const Spec& spec, const DeviceKeys& keys);
/// Hashes of all keys: spec.hash_words() words each.
void Hash(const Queue& queue, const Spec& spec, const DeviceKeys& keys, uint64_t* hashes);

/// Answers n keys into `answers` (not if null; a multiple of 4 bytes in address) and adds how many
/// are present to *count.
void Contains(const Queue& queue, const DeviceBits& filter, const WordKeys& keys, uint64_t n,
              uint32_t* answers, uint64_t* count);

enum class InsertWay : uint8_t {
  kBlind,      ///< ORs at once: the filter fits into the second-level cache
  kLookFirst,  ///< reads, and ORs what is missing
  kPartition,  ///< sorts, and ORs in shared memory: many keys for every part of the filter (not
               ///< of classic ones)
};

/// The way that should be fastest (cuda/README.md: predicted, not measured yet).
InsertWay InsertWayFor(const Device& device, const Spec& spec, uint64_t n);

/// Scratch that Insert needs for n keys.
uint64_t InsertScratchBytes(InsertWay way, const Spec& spec, uint64_t n);
/// Puts in n keys. With kPartition nothing else may be changing the filter.
void Insert(const Queue& queue, InsertWay way, const DeviceBits& filter, const WordKeys& keys,
            uint64_t n, void* scratch, uint64_t scratch_bytes);

/// Most keys of one call of InsertNew, a multiple of 64: so many that its scratch is a gigabyte or
/// so. It gains from more: more keys meet in a block.
uint64_t InsertNewChunk(const Spec& spec);
uint64_t InsertNewScratchBytes(const Spec& spec, uint64_t n);
/// Puts in n keys, writes which were new, as if they came one by one, into `answers` (as above),
/// and adds how many to *count. Nothing else may be changing the filter.
void InsertNew(const Queue& queue, const DeviceBits& filter, const WordKeys& keys, uint64_t n,
               uint32_t* answers, uint64_t* count, void* scratch, uint64_t scratch_bytes);

/// ORs `bytes` (a multiple of 8) bytes into others.
void Merge(const Queue& queue, std::byte* into, const std::byte* from, uint64_t bytes);

/// How many of the bits of `bytes` (a multiple of 8) bytes are set. Waits.
uint64_t CountSetBits(const Queue& queue, const std::byte* bits, uint64_t bytes);

}  // namespace tamis::gpu

#endif  // TAMIS_CUDA_KERNELS_H_
