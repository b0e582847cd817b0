// Kernels run in the calling thread: what the scalar and simd backends open.

#include "tamis/backend.h"

namespace tamis {

namespace {

class Serial final : public Executor {
 public:
  explicit Serial(const Kernels& kernels) : kernels_(kernels) {}

  void Hash(const Spec& spec, const Keys& keys, uint64_t* hashes) const override {
    kernels_.hash(spec, keys, hashes);
  }
  void Insert(const Batch& batch) override {
    kernels_.Of(batch.spec.variant).insert(batch, BlockRange::All(batch.spec));
  }
  uint64_t InsertNew(const Batch& batch, uint8_t* answers) override {
    return kernels_.Of(batch.spec.variant).insert_new(batch, BlockRange::All(batch.spec), answers);
  }
  uint64_t Contains(const Batch& batch, uint8_t* answers) const override {
    return kernels_.Of(batch.spec.variant).contains(batch, answers);
  }
  void Merge(std::byte* into, const std::byte* from, uint64_t bytes) override {
    kernels_.merge(into, from, bytes);
  }

 private:
  const Kernels& kernels_;
};

}  // namespace

std::unique_ptr<Executor> OpenSerial(const Kernels& kernels) {
  return std::make_unique<Serial>(kernels);
}

}  // namespace tamis
