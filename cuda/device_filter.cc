#include "tamis/cuda/device_filter.h"

#include <cuda_runtime_api.h>

#include <string>

#include "cuda/device_memory.h"
#include "cuda/worker.h"
#include "tamis/backend.h"
#include "tamis/error.h"

namespace tamis {

using gpu::Check;

struct DeviceFilter::State {
  // Views are hashed by the reference: to hash them fast, do it by an Engine and give the hashes.
  explicit State(const Spec& spec)
      : worker(ScalarBackend().kernels().front()), memory(spec.bytes()) {}

  gpu::DeviceBits Bits(const Spec& spec) const { return {.spec = spec, .bits = memory.data()}; }

  gpu::Worker worker;
  gpu::DeviceMemory memory;
};

DeviceFilter::DeviceFilter(const Plan& plan) : plan_(plan) {
  Validate(plan.spec);
  gpu::RequireRuns(plan.spec);
  state_ = std::make_unique<State>(plan.spec);
  Clear();
  gpu::Await(nullptr);
}

DeviceFilter::DeviceFilter(const Filter& filter) : plan_(filter.plan()) {
  gpu::RequireRuns(plan_.spec);
  state_ = std::make_unique<State>(plan_.spec);
  Upload(filter);
}

DeviceFilter::~DeviceFilter() = default;
DeviceFilter::DeviceFilter(DeviceFilter&&) noexcept = default;
DeviceFilter& DeviceFilter::operator=(DeviceFilter&&) noexcept = default;

void DeviceFilter::AddInserted(uint64_t keys) {
  inserted_ = inserted_ + keys < inserted_ ? UINT64_MAX : inserted_ + keys;
}

std::byte* DeviceFilter::data() const { return state_->memory.data(); }

void DeviceFilter::RequireView(Variant variant) const {
  const Spec& spec = plan_.spec;
  if (variant == spec.variant && spec.hash == HashScheme::kXxh64) return;
  throw SpecMismatch("a view for " + std::string(NameOf(variant)) + " by xxh64 on a filter of [" +
                     ToString(spec) + "]");
}

void DeviceFilter::Upload(const Filter& from, DeviceStream stream) {
  RequireEqual(plan_.spec, from.spec(), "upload");
  Check(
      cudaMemcpyAsync(data(), from.bytes().data(), from.bytes().size(), cudaMemcpyDefault, stream),
      "copying a filter to the device");
  gpu::Await(stream);
  inserted_ = from.inserted();
}

void DeviceFilter::Download(Filter& into, DeviceStream stream) const {
  RequireEqual(into.spec(), plan_.spec, "download");
  Check(
      cudaMemcpyAsync(into.mutable_data(), data(), into.bytes().size(), cudaMemcpyDefault, stream),
      "copying a filter from the device");
  gpu::Await(stream);
  into.SetInserted(inserted_);
}

Filter DeviceFilter::ToHost(DeviceStream stream) const {
  Filter filter(plan_);
  Download(filter, stream);
  return filter;
}

void DeviceFilter::Insert(const Keys& keys, DeviceStream stream) {
  state_->worker.Insert(state_->Bits(plan_.spec), keys, stream);
  AddInserted(keys.size());
}

uint64_t DeviceFilter::InsertNew(const Keys& keys, uint8_t* answers, DeviceStream stream) {
  const uint64_t fresh = state_->worker.InsertNew(state_->Bits(plan_.spec), keys, answers, stream);
  AddInserted(fresh);
  return fresh;
}

uint64_t DeviceFilter::Contains(const Keys& keys, uint8_t* answers, DeviceStream stream) const {
  return state_->worker.Contains(state_->Bits(plan_.spec), keys, answers, stream);
}

void DeviceFilter::Merge(const DeviceFilter& from, DeviceStream stream) {
  RequireEqual(plan_.spec, from.plan_.spec, "merge");
  state_->worker.Merge(data(), from.data(), plan_.spec.bytes(), stream);
  AddInserted(from.inserted_);
}

void DeviceFilter::Clear(DeviceStream stream) {
  Check(cudaMemsetAsync(data(), 0, plan_.spec.bytes(), stream), "clearing a filter");
  inserted_ = 0;
}

double DeviceFilter::Fill(DeviceStream stream) const {
  const uint64_t set = state_->worker.CountSetBits(data(), plan_.spec.bytes(), stream);
  return static_cast<double>(set) / static_cast<double>(plan_.spec.bits());
}

}  // namespace tamis
