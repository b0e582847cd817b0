// Owners of what the CUDA runtime gives: memory, streams, events.
#ifndef TAMIS_CUDA_DEVICE_MEMORY_H_
#define TAMIS_CUDA_DEVICE_MEMORY_H_

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "cuda/check.h"

namespace tamis::gpu {

/// Memory of one kind: `kAllocate(pointer, bytes)` gives it, `kFree(pointer)` takes it back.
template <auto kAllocate, auto kFree>
class Memory {
 public:
  Memory() = default;
  /// Throws MemoryError if there is not so much.
  explicit Memory(uint64_t bytes) : size_(bytes) {
    if (bytes == 0) return;
    const std::string action = "allocating " + std::to_string(bytes) + " bytes for the device";
    Check(kAllocate(&data_, bytes), action.c_str());
  }
  Memory(Memory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Memory& operator=(Memory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    if (data_ != nullptr) kFree(data_);
  }

  template <typename T = std::byte>
  T* data() const {
    return static_cast<T*>(data_);
  }
  uint64_t size() const { return size_; }

  /// Makes it at least so large; what it held is lost.
  void Grow(uint64_t bytes) {
    if (bytes <= size_) return;
    *this = Memory();  // first give back
    *this = Memory(bytes);
  }

 private:
  void* data_ = nullptr;
  uint64_t size_ = 0;
};

inline cudaError_t AllocatePinned(void** data, size_t bytes) { return cudaMallocHost(data, bytes); }
inline cudaError_t AllocateDevice(void** data, size_t bytes) { return cudaMalloc(data, bytes); }

using DeviceMemory = Memory<AllocateDevice, cudaFree>;
using PinnedMemory = Memory<AllocatePinned, cudaFreeHost>;

class Event {
 public:
  Event() { Check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "making an event"); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(event_); }

  /// Passed when all that is in the stream by now is done.
  void Record(cudaStream_t stream) { Check(cudaEventRecord(event_, stream), "recording an event"); }
  /// Makes what comes in `stream` from now on wait for it. One never recorded is passed.
  void HoldUp(cudaStream_t stream) const {
    Check(cudaStreamWaitEvent(stream, event_, 0), "waiting for an event");
  }
  /// Waits, in the calling thread. Errors of kernels come to light here.
  void Await() const { Check(cudaEventSynchronize(event_), "running on the device"); }

 private:
  cudaEvent_t event_ = nullptr;
};

class Stream {
 public:
  Stream() { Check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream"); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(stream_); }
  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

/// Waits until all in the stream is done. Errors of kernels come to light here.
inline void Await(cudaStream_t stream) {
  Check(cudaStreamSynchronize(stream), "running on the device");
}

}  // namespace tamis::gpu

#endif  // TAMIS_CUDA_DEVICE_MEMORY_H_
