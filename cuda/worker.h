// The verbs on bits that the device reaches, for keys anywhere and answers anywhere: what both the
// backend and DeviceFilter call. Holds the staging memory and scratch, so that batches after the
// first allocate nothing. For one caller at a time.
#ifndef TAMIS_CUDA_WORKER_H_
#define TAMIS_CUDA_WORKER_H_

#include <cstdint>

#include "cuda/device.h"
#include "cuda/device_memory.h"
#include "cuda/kernels.h"
#include "cuda/staging.h"
#include "tamis/backend.h"

namespace tamis::gpu {

class Worker {
 public:
  /// On the current device. `kernels` hash scattered keys on the host. Throws DeviceError if there
  /// is no device.
  explicit Worker(const Kernels& kernels);

  const Device& device() const { return device_; }

  /// Each throws InvalidArgument for a Spec that has no kernels, MemoryError if not even small
  /// chunks find the scratch they need (the bits are then as they were), DeviceError if the device
  /// fails. All but Insert wait until the work is done, and so does Insert for keys of the host.
  void Insert(const DeviceBits& filter, const Keys& keys, cudaStream_t stream);
  /// `answers` is null, the host's memory of any alignment, or the device's, at a multiple of four.
  uint64_t InsertNew(const DeviceBits& filter, const Keys& keys, uint8_t* answers,
                     cudaStream_t stream);
  uint64_t Contains(const DeviceBits& filter, const Keys& keys, uint8_t* answers,
                    cudaStream_t stream);
  void Merge(std::byte* into, const std::byte* from, uint64_t bytes, cudaStream_t stream);
  uint64_t CountSetBits(const std::byte* bits, uint64_t bytes, cudaStream_t stream);

 private:
  // Runs `verb(queue, words, count, answers)` over chunks and gathers its answers and count.
  template <typename F>
  uint64_t Answered(const DeviceBits& filter, const Keys& keys, uint64_t most, uint8_t* answers,
                    cudaStream_t stream, F&& verb);
  // Scratch for the largest chunk, of at most `most` keys, for which bytes_for(chunk) can be had.
  // Returns that chunk.
  template <typename F>
  uint64_t GrowScratch(uint64_t most, F&& bytes_for);

  const Kernels& kernels_;
  const Device device_;
  Staging staging_;
  AnswerStaging answers_;
  DeviceMemory scratch_;
  DeviceMemory count_;
  PinnedMemory count_here_;
};

/// Throws InvalidArgument unless there are kernels for such filters.
void RequireRuns(const Spec& spec);

}  // namespace tamis::gpu

#endif  // TAMIS_CUDA_WORKER_H_
