// Keys one by one from many threads into one filter.

#include "tamis/shared_adder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "file_test_helpers.h"
#include "tamis/engine.h"

namespace tamis {
namespace {

constexpr uint64_t kKeys = 10'000;
constexpr int kThreads = 4;

// So sparse that no key is found by chance, in whatever order they come.
Filter SparseFilter() {
  return Filter(PlanForBitsPerKey(kKeys, 4096, {.variant = Variant::kRegisterBlocked}));
}
uint64_t KeyAt(uint64_t i) { return i * 0x9e3779b97f4a7c15; }

Filter FilledByOne() {
  Filter filter = SparseFilter();
  std::vector<uint64_t> keys(kKeys);
  for (uint64_t i = 0; i < kKeys; ++i) keys[i] = KeyAt(i);
  EXPECT_EQ(testing::ScalarEngine().InsertNew(filter, Keys::U64(keys)), kKeys);
  return filter;
}

// Calls f(thread) in kThreads threads at once.
template <typename F>
void InThreads(F&& f) {
  std::vector<std::jthread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(f, i);
}

TEST(SharedAdderCases, B1_EachOfTheKeysThatAllThreadsBringIsNewOnce) {
  Filter filter = SparseFilter();
  std::atomic<uint64_t> fresh = 0;
  InThreads([&](int thread) {
    SharedAdder adder(filter);
    const uint64_t first = static_cast<uint64_t>(thread) * (kKeys / kThreads) / 2;
    uint64_t told = 0;
    for (uint64_t i = 0; i < kKeys; ++i) {
      told += adder.InsertOne(KeyAt((first + i) % kKeys)) ? 1 : 0;
    }
    EXPECT_EQ(adder.inserted(), told);
    fresh += told;
  });
  EXPECT_EQ(fresh, kKeys);
  EXPECT_EQ(filter.inserted(), kKeys);
  EXPECT_TRUE(std::ranges::equal(filter.bytes(), FilledByOne().bytes()));
}

TEST(SharedAdder, WhatIsInIsFoundWhileOthersAdd) {
  Filter filter = SparseFilter();
  std::atomic<uint64_t> done = 0;
  InThreads([&](int thread) {
    if (thread == 0) {
      SharedAdder adder(filter);
      for (uint64_t i = 0; i < kKeys; ++i) {
        adder.InsertOne(KeyAt(i));
        done.store(i + 1, std::memory_order_release);
      }
      return;
    }
    const Engine engine({.threads = 1});
    uint64_t missed = 0;
    for (uint64_t seen = 0; seen < kKeys;) {
      seen = done.load(std::memory_order_acquire);
      if (seen > 0) missed += engine.ContainsOne(filter, KeyAt(seen - 1)) ? 0 : 1;
    }
    EXPECT_EQ(missed, 0);
  });
}

TEST(SharedAdder, TakesTextAndNumbersAsTheEngineDoes) {
  Filter filter = SparseFilter();
  Engine engine({.threads = 1});
  {
    SharedAdder adder(filter);
    EXPECT_TRUE(adder.InsertOne("text"));
    EXPECT_FALSE(adder.InsertOne("text"));
    EXPECT_TRUE(adder.InsertOne(uint64_t{7}));
  }
  EXPECT_TRUE(engine.ContainsOne(filter, "text"));
  EXPECT_FALSE(engine.InsertOne(filter, std::string_view("\7\0\0\0\0\0\0\0", 8)));
  EXPECT_EQ(filter.inserted(), 2);
}

TEST(SharedAdder, OtherVariantsAndKeysThatAreNoHashesAreRefused) {
  for (const Variant variant : AllVariants()) {
    if (variant == Variant::kRegisterBlocked) continue;
    Filter filter(PlanFor(1000, 0.01, {.variant = variant}));
    testing::ExpectRefused([&] { SharedAdder{filter}; }, {std::string(NameOf(variant))});
  }
  Filter hashes(
      PlanFor(1000, 0.01, {.variant = Variant::kRegisterBlocked, .hash = HashScheme::kPrehashed}));
  SharedAdder adder(hashes);
  EXPECT_TRUE(adder.InsertOne("12345678"));
  testing::ExpectRefused([&] { adder.InsertOne("1234567"); }, {"8 or 16 bytes", "7"});
}

}  // namespace
}  // namespace tamis
