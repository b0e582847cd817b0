// The cuda backend: an Engine's batches on the current device.
//
// Bits in memory from CopyOf are shared with the device ("managed"): the driver moves pages to
// whoever touches them, so a filter that is worked on here stays here, and can be saved, merged or
// asked on the host all the same. Other bits are sent there and, if changed, back, in every call:
// right, and slow.
//
// What the device loses by an error in the middle of a batch is not known. If bits are sent, the
// host's are written only when all went well; shared ones may hold some of the batch's keys.

#include "tamis/backend.h"

#include <cuda_runtime_api.h>

#include <memory>
#include <mutex>
#include <string>

#include "cuda/device.h"
#include "cuda/device_memory.h"
#include "cuda/worker.h"
#include "tamis/error.h"

namespace tamis {

namespace {

// Bits where the device reaches them, for the length of a call.
class Reached {
 public:
  Reached(const Batch& batch, cudaStream_t stream)
      : host_(gpu::OnDevice(batch.bits) ? nullptr : batch.bits),
        stream_(stream),
        bits_{.spec = batch.spec, .bits = batch.bits} {
    if (host_ == nullptr) {
      gpu::Summon(bits_.bits, batch.spec.bytes(), stream);
      return;
    }
    sent_ = gpu::DeviceMemory(batch.spec.bytes());
    bits_.bits = sent_.data();
    gpu::Check(cudaMemcpyAsync(sent_.data(), host_, sent_.size(), cudaMemcpyHostToDevice, stream),
               "copying a filter to the device");
  }

  const gpu::DeviceBits& bits() const { return bits_; }

  // Waits for the work, and brings back what it changed.
  void Return() const {
    if (host_ != nullptr) {
      gpu::Check(
          cudaMemcpyAsync(host_, sent_.data(), sent_.size(), cudaMemcpyDeviceToHost, stream_),
          "copying a filter from the device");
    }
    gpu::Await(stream_);
  }

 private:
  std::byte* host_;
  cudaStream_t stream_;
  gpu::DeviceMemory sent_;
  gpu::DeviceBits bits_;
};

class OnDeviceExecutor final : public Executor {
 public:
  explicit OnDeviceExecutor(const Kernels& kernels) : kernels_(kernels), worker_(kernels) {}

  // The hashes are wanted on the host, where the keys are.
  void Hash(const Spec& spec, const Keys& keys, uint64_t* hashes) const override {
    kernels_.hash(spec, keys, hashes);
  }

  void Insert(const Batch& batch) override {
    const Reached reached(batch, stream_.get());
    worker_.Insert(reached.bits(), batch.keys, stream_.get());
    reached.Return();
  }

  uint64_t InsertNew(const Batch& batch, uint8_t* answers) override {
    const Reached reached(batch, stream_.get());
    const uint64_t fresh = worker_.InsertNew(reached.bits(), batch.keys, answers, stream_.get());
    reached.Return();
    return fresh;
  }

  uint64_t Contains(const Batch& batch, uint8_t* answers) const override {
    const std::scoped_lock alone(one_at_a_time_);
    const Reached reached(batch, stream_.get());
    return worker_.Contains(reached.bits(), batch.keys, answers, stream_.get());
  }

  void Merge(std::byte* into, const std::byte* from, uint64_t bytes) override {
    if (!gpu::OnDevice(into)) return kernels_.merge(into, from, bytes);
    worker_.Merge(into, from, bytes, stream_.get());
  }

  std::optional<Storage> CopyOf(std::span<const std::byte> bits) override {
    if (bits.size() > worker_.device().memory_bytes) {
      throw MemoryError("a filter of " + std::to_string(bits.size()) + " bytes: the device has " +
                        std::to_string(worker_.device().memory_bytes));
    }
    void* memory = nullptr;
    gpu::Check(cudaMallocManaged(&memory, bits.size()), "allocating memory shared with the device");
    Storage storage = Storage::Shared(static_cast<std::byte*>(memory), bits.size(),
                                      [](std::byte* shared) { cudaFree(shared); });
    gpu::Summon(storage.data(), storage.size(), stream_.get());
    gpu::Check(cudaMemcpyAsync(memory, bits.data(), bits.size(), cudaMemcpyDefault, stream_.get()),
               "copying a filter to the device");
    gpu::Await(stream_.get());
    return storage;
  }

 private:
  const Kernels& kernels_;
  gpu::Stream stream_;
  mutable std::mutex one_at_a_time_;
  mutable gpu::Worker worker_;
};

class Cuda final : public Backend {
 public:
  std::string_view name() const override { return "cuda"; }
  std::span<const Kernels> kernels() const override { return {}; }
  bool parallel() const override { return false; }
  bool device() const override { return true; }
  std::string Unavailable() const override { return gpu::WhyNoDevice(); }
  bool Runs(const Spec& spec) const override { return gpu::Runs(spec); }
  std::unique_ptr<Executor> Open(const Kernels& kernels, int /*threads*/) const override {
    return std::make_unique<OnDeviceExecutor>(kernels);
  }
};

}  // namespace

const Backend& CudaBackend() {
  static const Cuda backend;
  return backend;
}

}  // namespace tamis
