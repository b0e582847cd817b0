#include "bench/device.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "bench/device_limits.h"
#include "bench/timing.h"
#include "cuda/device.h"
#include "cuda/device_memory.h"
#include "tamis/answers.h"
#include "tamis/cuda/device_filter.h"
#include "tamis/sizing.h"

namespace tamis::bench {

namespace {

constexpr int kRepetitions = 5;
constexpr double kBitsPerKey = 10;

// Filters of so many keys: in cache, and beyond.
std::vector<uint64_t> FilterKeys(Extent extent) {
  if (extent == Extent::kMoment) return {10'000};
  if (extent == Extent::kQuick) return {1'000'000, 100'000'000, 1'000'000'000};
  return {1'000'000, 10'000'000, 100'000'000, 1'000'000'000, 10'000'000'000};
}

uint64_t KeysOfBatch(Extent extent) {
  return extent == Extent::kMoment ? 1 << 16 : uint64_t{1} << 26;
}

// Median over repetitions of millions of things a second; `work` waits until it is done.
template <typename Before, typename Work>
double MedianRate(double things, Before&& before, Work&& work) {
  std::vector<double> rates;
  for (int i = -1; i < kRepetitions; ++i) {
    before();
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (i >= 0) rates.push_back(things / took.count() / 1e6);  // after one to get warm
  }
  return Median(rates);
}

LimitRow MeasureLimit(const gpu::Device& device, const DeviceArray& array, bool update,
                      uint64_t count) {
  const auto blocks = static_cast<unsigned>(device.multiprocessors * 8);
  const gpu::DeviceMemory sink(sizeof(uint64_t));
  uint64_t seed = 1;
  LimitRow row;
  row.access = update ? "update" : "read";
  row.block_bytes = array.block_bytes;
  row.array_bytes = array.bytes;
  row.pages = "device";
  row.m_per_s = MedianRate(
      static_cast<double>(count), [] {},
      [&] {
        seed += count;
        if (update) {
          OrAtRandom(array, count, seed, blocks);
        } else {
          ReadAtRandom(array, count, seed, blocks, sink.data<uint64_t>());
        }
        gpu::CheckLaunch("measuring the device's limits");
        gpu::Await(nullptr);
      });
  return row;
}

// Verbs on one filter.
class Verbs {
 public:
  Verbs(const gpu::Device& device, Variant variant, uint64_t filter_keys, uint64_t batch)
      : device_(device),
        filter_(PlanForBitsPerKey(filter_keys, kBitsPerKey, {.variant = variant})),
        filter_keys_(filter_keys),
        host_keys_(batch),
        host_answers_(AnswerBytes(batch)),
        device_keys_(batch * sizeof(uint64_t)),
        device_answers_(AnswerBytes(batch) + sizeof(uint32_t)) {}

  WorkRow Measure(std::string_view op, bool on_device) {
    FillTo(op == "insert_new" ? filter_keys_ / 2 : filter_keys_);
    WorkRow row;
    row.system = "tamis";
    row.backend = "cuda";
    row.target = device_.name;
    row.op = op;
    row.variant = NameOf(filter_.spec().variant);
    row.key_kind = "u64";
    row.filter_keys = filter_keys_;
    row.bits_per_key = kBitsPerKey;
    row.batch = host_keys_.size();
    row.pages = on_device ? "device" : "host";
    row.fpr_theory = ExpectedFpr(filter_.spec(), filter_keys_);
    const Keys keys = on_device ? Keys::U64({device_keys_.data<uint64_t>(), host_keys_.size()})
                                : Keys::U64(host_keys_);
    uint8_t* answers = on_device ? device_answers_.data<uint8_t>() : host_answers_.data();
    uint64_t yes = 0;
    row.mkeys_per_s = MedianRate(
        static_cast<double>(host_keys_.size()), [&] { NextKeys(op == "contains"); },
        [&] {
          if (op == "contains") yes = filter_.Contains(keys, answers);
          if (op == "insert") filter_.Insert(keys);
          if (op == "insert_new") filter_.InsertNew(keys, answers);
          gpu::Await(nullptr);
        });
    if (op == "contains") {
      row.fpr = static_cast<double>(yes) / static_cast<double>(host_keys_.size());
    } else {
      filled_ = UINT64_MAX;  // it holds more than it should
    }
    return row;
  }

  uint64_t bytes() const { return filter_.spec().bytes(); }
  uint32_t block_bytes() const { return static_cast<uint32_t>(filter_.spec().block_bytes()); }

 private:
  // Keys never asked for or put in before: foreign ones for look-ups, others of the filter's range.
  void NextKeys(bool foreign) {
    next_ += host_keys_.size();
    const uint64_t first = foreign ? (uint64_t{1} << 40) + next_ : next_ % filter_keys_;
    std::iota(host_keys_.begin(), host_keys_.end(), first);
    gpu::Check(cudaMemcpy(device_keys_.data(), host_keys_.data(), device_keys_.size(),
                          cudaMemcpyHostToDevice),
               "copying keys to the device");
  }

  void FillTo(uint64_t keys) {
    if (filled_ == keys) return;
    filter_.Clear();
    std::vector<uint64_t> numbers;
    for (uint64_t first = 0; first < keys; first += host_keys_.size()) {
      numbers.resize(std::min<uint64_t>(host_keys_.size(), keys - first));
      std::iota(numbers.begin(), numbers.end(), first);
      filter_.Insert(Keys::U64(numbers));
    }
    filled_ = keys;
  }

  const gpu::Device& device_;
  DeviceFilter filter_;
  uint64_t filter_keys_;
  uint64_t filled_ = UINT64_MAX;
  uint64_t next_ = 0;
  std::vector<uint64_t> host_keys_;
  std::vector<uint8_t> host_answers_;
  gpu::DeviceMemory device_keys_;
  gpu::DeviceMemory device_answers_;
};

// The limit of the same number of accesses, in a row's own units.
void Compare(WorkRow& row, const std::vector<LimitRow>& limits, uint64_t bytes,
             uint32_t block_bytes) {
  const std::string_view access = row.op == "contains" ? "read" : "update";
  for (const LimitRow& limit : limits) {
    if (limit.access != access || limit.block_bytes != block_bytes || limit.array_bytes != bytes) {
      continue;
    }
    row.limit_mkeys_per_s = limit.m_per_s;
    row.limit_share = row.mkeys_per_s / limit.m_per_s;
  }
}

}  // namespace

DeviceRows MeasureDevice(Extent extent, const std::function<void(std::string_view)>& next) {
  DeviceRows found;
  if (!gpu::WhyNoDevice().empty()) return found;
  const gpu::Device device = gpu::CurrentDevice();
  const uint64_t batch = KeysOfBatch(extent);
  for (const uint64_t filter_keys : FilterKeys(extent)) {
    for (const Variant variant : {Variant::kSplitBlock, Variant::kSplitBlock512}) {
      Verbs verbs(device, variant, filter_keys, batch);
      const gpu::DeviceMemory memory(verbs.bytes());
      gpu::Check(cudaMemset(memory.data(), 0, memory.size()), "clearing memory");
      const DeviceArray array{memory.data(), verbs.bytes(), verbs.block_bytes()};
      for (const bool update : {false, true}) {
        next(fmt::format("device limits of {} bytes", array.bytes));
        found.limits.push_back(MeasureLimit(device, array, update, batch));
      }
      for (const std::string_view op : {"contains", "insert", "insert_new"}) {
        for (const bool on_device : {true, false}) {
          next(fmt::format("cuda/{}/{}/{}", op, NameOf(variant), filter_keys));
          found.rows.push_back(verbs.Measure(op, on_device));
          Compare(found.rows.back(), found.limits, array.bytes, array.block_bytes);
        }
      }
    }
  }
  return found;
}

}  // namespace tamis::bench
