// Many threads of the caller's own, used as engine.h says: readers share, a writer is alone with
// its engine and filter. Meant to run under ThreadSanitizer too, on every backend.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "samples.h"
#include "tamis/engine.h"

namespace tamis {
namespace {

constexpr int kThreads = 4;

// Runs `work(thread number)` on kThreads threads at once.
template <typename Work>
void OnThreads(Work&& work) {
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) threads.emplace_back([&work, i] { work(i); });
  for (std::thread& thread : threads) thread.join();
}

class Threads : public testing::TestWithParam<std::string> {
 protected:
  EngineOptions options() const { return {.backend = GetParam(), .threads = 2}; }
};

std::vector<std::string> BackendNames() {
  std::vector<std::string> names;
  for (const Backend* backend : Backends()) {
    if (backend->Unavailable().empty()) names.emplace_back(backend->name());
  }
  return names;
}
INSTANTIATE_TEST_SUITE_P(Backends, Threads, testing::ValuesIn(BackendNames()),
                         [](const auto& test) { return test.param; });

TEST_P(Threads, ManyReadersShareOneEngineAndOneFilter) {
  constexpr uint64_t kKeys = 100'000;
  Engine engine(options());
  Filter filter(PlanFor(kKeys, 0.01));
  ScalableFilter growing(1000, 0.01);
  const std::vector<uint64_t> inside = DistinctKeys(kKeys, 1);
  const std::vector<uint64_t> asked = RepeatingKeys(2 * kKeys, 2 * kKeys, 1);
  engine.Insert(filter, Keys::U64(inside));
  engine.Insert(growing, Keys::U64(inside));
  std::vector<uint8_t> right(AnswerBytes(asked.size()));
  const uint64_t present = engine.Contains(filter, Keys::U64(asked), right);
  const uint64_t present_growing = engine.Contains(growing, Keys::U64(asked));
  std::vector<uint64_t> hashes(asked.size());
  engine.Hash(filter.spec(), Keys::U64(asked), hashes);

  std::atomic<int> wrong = 0;
  OnThreads([&](int) {
    std::vector<uint8_t> answers(right.size());
    std::vector<uint64_t> own_hashes(asked.size());
    for (int round = 0; round < 3; ++round) {
      wrong += engine.Contains(filter, Keys::U64(asked), answers) != present;
      wrong += answers != right;
      wrong += engine.Contains(growing, Keys::U64(asked)) != present_growing;
      engine.Hash(filter.spec(), Keys::U64(asked), own_hashes);
      wrong += own_hashes != hashes;
      wrong += !engine.ContainsOne(filter, inside[static_cast<size_t>(round)]);
      wrong += filter.Fill() == 0;
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST_P(Threads, WritersWithFiltersOfTheirOwnMergeToTheWhole) {
  constexpr uint64_t kKeys = 80'000;
  const Plan plan = PlanFor(kKeys * kThreads, 0.01);
  std::vector<Filter> filters;
  filters.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) filters.emplace_back(plan);
  OnThreads([&](int i) {
    Engine engine(options());
    engine.Insert(filters[static_cast<size_t>(i)],
                  Keys::U64(DistinctKeys(kKeys, static_cast<uint64_t>(i))));
  });
  Engine engine(options());
  Filter merged(plan);
  Filter whole(plan);
  for (const Filter& filter : filters) engine.Merge(merged, filter);
  for (uint64_t i = 0; i < kThreads; ++i) engine.Insert(whole, Keys::U64(DistinctKeys(kKeys, i)));
  EXPECT_TRUE(BytesOf(merged) == BytesOf(whole));
  EXPECT_EQ(merged.inserted(), kKeys * kThreads);
}

// A shared filter is guarded by a lock of its own. Every thread brings the same keys.
template <typename SharedFilter>
uint64_t NewOverAllThreads(SharedFilter& filter, const EngineOptions& options, uint64_t batch) {
  constexpr uint64_t kKeys = 10'000;
  const std::vector<uint64_t> keys = DistinctKeys(kKeys, 7);
  std::mutex mutex;
  std::atomic<uint64_t> fresh = 0;
  OnThreads([&](int) {
    Engine engine(options);
    for (uint64_t first = 0; first < kKeys; first += batch) {
      const Keys part = Keys::U64(keys).Slice(first, batch);
      const std::lock_guard lock(mutex);
      fresh += engine.InsertNew(filter, part);
    }
  });
  return fresh;
}

TEST_P(Threads, B1_ThreadsWithTheSameKeysSeeEachNewOnceInAll) {
  for (const uint64_t batch : {1, 100, 10'000}) {
    Filter filter(PlanFor(10'000, 1e-9));
    EXPECT_EQ(NewOverAllThreads(filter, options(), batch), 10'000U);
    EXPECT_EQ(filter.inserted(), 10'000U);
    ScalableFilter growing(100, 1e-9);
    EXPECT_EQ(NewOverAllThreads(growing, options(), batch), 10'000U);
    EXPECT_EQ(growing.inserted(), 10'000U);
  }
}

TEST_P(Threads, EnginesAreMadeAtOnceOnManyThreads) {
  std::atomic<int> made = 0;
  OnThreads([&](int) {
    for (int i = 0; i < 10; ++i) {
      Filter filter(PlanFor(10, 0.01));
      made += Engine(options()).InsertOne(filter, 1) ? 1 : 0;
    }
  });
  EXPECT_EQ(made, 10 * kThreads);
}

}  // namespace
}  // namespace tamis
