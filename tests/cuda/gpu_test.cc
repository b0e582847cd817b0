// DeviceFilter on a GPU; skipped where there is none. (The conformance suite holds the backend;
// here is what only DeviceFilter has: device pointers, streams, uploads, a billion keys.)

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "cuda/device.h"
#include "cuda/device_memory.h"
#include "samples.h"
#include "tamis/cuda/device_filter.h"
#include "tamis/engine.h"
#include "tamis/schemes.h"

namespace tamis::gpu {
namespace {

class OnGpu : public testing::TestWithParam<Variant> {
 protected:
  void SetUp() override {
    if (!WhyNoDevice().empty()) GTEST_SKIP() << WhyNoDevice();
  }

  static Plan PlanOf(uint64_t keys) { return PlanForBitsPerKey(keys, 10, {.variant = GetParam()}); }

  Engine scalar_{{.backend = "scalar"}};
};

// Host values in the device's memory.
template <typename T>
DeviceMemory ToDevice(const std::vector<T>& values) {
  DeviceMemory memory(values.size() * sizeof(T));
  Check(cudaMemcpy(memory.data(), values.data(), memory.size(), cudaMemcpyHostToDevice), "copying");
  return memory;
}

struct Outcome {
  uint64_t count;
  std::vector<uint8_t> answers;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

TEST_P(OnGpu, KeysAndAnswersMayBeTheDevicesOrTheHosts) {
  const std::vector<uint64_t> keys = RepeatingKeys(300'007, 150'000, 1);
  const DeviceMemory device_keys = ToDevice(keys);
  const Keys there = Keys::U64({device_keys.data<uint64_t>(), keys.size()});
  Filter reference(PlanOf(200'000));
  Outcome expected = {0, std::vector<uint8_t>(AnswerBytes(keys.size()))};
  expected.count = scalar_.InsertNew(reference, Keys::U64(keys), expected.answers);
  const Stream stream;
  for (const Keys& batch : {Keys::U64(keys), there}) {
    DeviceFilter filter(PlanOf(200'000));
    Outcome outcome = {0, std::vector<uint8_t>(AnswerBytes(keys.size()))};
    outcome.count = filter.InsertNew(batch, outcome.answers.data(), stream.get());
    EXPECT_EQ(outcome, expected);
    EXPECT_EQ(filter.inserted(), expected.count);
    EXPECT_EQ(BytesOf(filter.ToHost()), BytesOf(reference));
    EXPECT_EQ(filter.Contains(batch, nullptr, stream.get()), keys.size());
  }
  DeviceFilter filter(PlanOf(200'000));
  const DeviceMemory answers(AnswerBytes(keys.size()) + 4);
  EXPECT_EQ(filter.InsertNew(there, answers.data<uint8_t>()), expected.count);
  std::vector<uint8_t> fetched(expected.answers.size());
  Check(cudaMemcpy(fetched.data(), answers.data(), fetched.size(), cudaMemcpyDeviceToHost),
        "copying");
  EXPECT_EQ(fetched, expected.answers);
  EXPECT_THROW(filter.Contains(there, answers.data<uint8_t>() + 1), InvalidArgument);
}

TEST_P(OnGpu, EveryWayOfInsertingSetsTheSameBits) {
  for (const uint64_t size : {uint64_t{100'000}, uint64_t{60'000'000}}) {
    for (const uint64_t n : {uint64_t{70'000}, uint64_t{9'000'000}}) {
      const std::vector<uint64_t> keys = DistinctKeys(n, 2);
      Filter reference(PlanOf(size));
      scalar_.Insert(reference, Keys::U64(keys));
      DeviceFilter filter(PlanOf(size));
      filter.Insert(Keys::U64(keys));
      EXPECT_EQ(BytesOf(filter.ToHost()), BytesOf(reference)) << size << " " << n;
      EXPECT_NEAR(filter.Fill(), reference.Fill(), 1e-12);
    }
  }
}

TEST_P(OnGpu, UploadsMergesAndClearsAreCopiesOfTheSameBytes) {
  const std::vector<uint64_t> keys = DistinctKeys(100'000, 3);
  Filter left(PlanOf(100'000));
  Filter right(PlanOf(100'000));
  scalar_.Insert(left, Keys::U64(keys).Slice(0, 60'000));
  scalar_.Insert(right, Keys::U64(keys).Slice(40'000, 60'000));
  DeviceFilter filter(left);
  EXPECT_EQ(BytesOf(filter.ToHost()), BytesOf(left));
  filter.Merge(DeviceFilter(right));
  scalar_.Merge(left, right);
  EXPECT_EQ(BytesOf(filter.ToHost()), BytesOf(left));
  EXPECT_EQ(filter.inserted(), left.inserted());
  filter.Clear();
  EXPECT_EQ(filter.Fill(), 0);
  EXPECT_THROW(filter.Upload(Filter(PlanOf(5))), SpecMismatch);
}

TEST_P(OnGpu, StringsAreHashedThere) {
  std::string bytes(1 << 20, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(Scramble(i));
  std::vector<uint32_t> offsets = {1};
  while (offsets.back() + 300 < bytes.size()) {
    offsets.push_back(offsets.back() + static_cast<uint32_t>(Scramble(offsets.size()) % 300));
  }
  Filter reference(PlanOf(offsets.size()));
  scalar_.Insert(reference, Keys::Strings(offsets, bytes.data()));
  const DeviceMemory device_offsets = ToDevice(offsets);
  const DeviceMemory device_bytes = ToDevice(std::vector<char>(bytes.begin(), bytes.end()));
  for (const Keys& keys : {Keys::Strings(offsets, bytes.data()),
                           Keys::Strings({device_offsets.data<uint32_t>(), offsets.size()},
                                         device_bytes.data<char>())}) {
    DeviceFilter filter(PlanOf(offsets.size()));
    filter.Insert(keys);
    EXPECT_EQ(BytesOf(filter.ToHost()), BytesOf(reference));
  }
}

// Classic filters by every hash scheme and by every probe scheme, of integers and of strings.
TEST(OnGpuSchemes, EverySchemeGivesTheSameBitsAndAnswers) {
  if (!WhyNoDevice().empty()) GTEST_SKIP() << WhyNoDevice();
  std::vector<Spec> specs;
  const auto add = [&](HashScheme hash, ProbeScheme probe, uint64_t seed, const Secret& secret) {
    specs.push_back({.variant = Variant::kClassic,
                     .hash = hash,
                     .seed = seed,
                     .m = 300'007,
                     .k = 7,
                     .probe = probe,
                     .secret = secret});
  };
  HashSchemes::ForEach([&]<class H>(H) {
    add(static_cast<HashScheme>(H::kId),
        H::kWords >= 2 ? ProbeScheme::kEnhancedDouble : ProbeScheme::kPair32, H::kSeeded ? 5 : 0,
        H::kKeyed ? Secret{{6, 7}} : Secret{});
  });
  ProbeSchemes::ForEach([&]<class P>(P) {
    add(P::kWords == 4 ? HashScheme::kBitsAndBlooms : HashScheme::kXxh64,
        static_cast<ProbeScheme>(P::kId), 0, {});
  });
  Engine scalar({.backend = "scalar"});
  const std::vector<uint64_t> numbers = RepeatingKeys(40'000, 25'000, 9);
  for (const Spec& spec : specs) {
    for (const uint32_t width : {8, 16}) {
      const Keys keys = Keys::Fixed(std::as_bytes(std::span(numbers)), width);
      Filter reference(Plan{.spec = spec});
      DeviceFilter filter(Plan{.spec = spec});
      Outcome expected = {0, std::vector<uint8_t>(AnswerBytes(keys.size()))};
      Outcome outcome = expected;
      const Keys half = keys.Slice(0, keys.size() / 2);
      expected.count = scalar.InsertNew(reference, half, expected.answers);
      outcome.count = filter.InsertNew(half, outcome.answers.data());
      EXPECT_EQ(outcome, expected) << ToString(spec);
      expected.count = scalar.Contains(reference, keys, expected.answers);
      outcome.count = filter.Contains(keys, outcome.answers.data());
      EXPECT_EQ(outcome, expected) << ToString(spec);
      scalar.Insert(reference, keys);
      filter.Insert(keys);
      EXPECT_EQ(BytesOf(filter.ToHost()), BytesOf(reference)) << ToString(spec);
    }
  }
}

TEST(OnGpuSchemes, WhatTheDeviceCannotTakeIsRefused) {
  if (!WhyNoDevice().empty()) GTEST_SKIP() << WhyNoDevice();
  const std::vector<uint64_t> numbers(8);
  const DeviceMemory there = ToDevice(numbers);
  DeviceFilter filter(PlanFor(1'000, 0.01, {.hash = HashScheme::kXxh3}));
  const std::span<const std::byte> bytes(there.data(), there.size());
  ExpectNames(RefusalOf<InvalidArgument>([&] { filter.Insert(Keys::Fixed(bytes, 16)); }), {"xxh3"});
  filter.Insert(Keys::Fixed(bytes, 8));
  EXPECT_THROW(filter.View<SplitBlock>(), SpecMismatch);
  EXPECT_THROW(DeviceFilter(PlanFor(1'000, 0.01)).View<CacheLine>(), SpecMismatch);
  EXPECT_THROW(filter.Insert(Keys::Hashes(numbers, 2)), InvalidArgument);
}

TEST_P(OnGpu, B5_OneKeyTenMillionTimes) {
  const std::vector<uint64_t> keys(10'000'000, 42);
  DeviceFilter filter(PlanOf(1'000'000));
  std::vector<uint8_t> answers(AnswerBytes(keys.size()));
  EXPECT_EQ(filter.InsertNew(Keys::U64(keys), answers.data()), 1U);
  EXPECT_TRUE(AnswerAt(answers.data(), 0));
}

TEST_P(OnGpu, AFilterTooLargeForTheDeviceIsRefused) {
  const Plan plan =
      PlanForBytes(CurrentDevice().memory_bytes + (uint64_t{1} << 30), {.variant = GetParam()});
  EXPECT_THROW(DeviceFilter{plan}, MemoryError);
}

// A billion keys, once: TAMIS_GPU_BILLION=1 asks for it (tools/check-gpu does).
TEST_P(OnGpu, ABillionKeysWithoutAFalseNegativeAndAtTheRightRate) {
  if (std::getenv("TAMIS_GPU_BILLION") == nullptr) GTEST_SKIP() << "TAMIS_GPU_BILLION is not set";
  constexpr uint64_t kBillion = 1'000'000'000;
  constexpr uint64_t kBatch = 50'000'000;
  DeviceFilter filter(PlanOf(kBillion));
  std::vector<uint64_t> keys(kBatch);
  uint64_t fresh = 0;
  for (uint64_t first = 0; first < kBillion; first += kBatch) {
    std::iota(keys.begin(), keys.end(), first);
    fresh += filter.InsertNew(Keys::U64(keys));
    EXPECT_EQ(filter.Contains(Keys::U64(keys)), kBatch);
  }
  std::iota(keys.begin(), keys.end(), kBillion);
  const double rate = static_cast<double>(filter.Contains(Keys::U64(keys))) / kBatch;
  const double expected = ExpectedFpr(filter.spec(), kBillion);
  EXPECT_NEAR(rate, expected, kSigmas * BinomialSigma(expected, kBatch) + 1e-4);
  EXPECT_LT(kBillion - fresh, kBillion / 100);  // so few were taken for repeats by chance
}

INSTANTIATE_TEST_SUITE_P(Variants, OnGpu, testing::ValuesIn(AllVariants()),
                         [](const auto& variant) { return std::string(NameOf(variant.param)); });

}  // namespace
}  // namespace tamis::gpu
