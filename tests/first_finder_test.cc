// Keys that are the first of their kind, found in less memory than they take: against a set that
// holds them all.

#include "first_finder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <unordered_set>
#include <vector>

#include "number_runs.h"

namespace tamis::command {
namespace {

using Numbers = std::vector<uint64_t>;

std::vector<std::string> SkewedKeys(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::exponential_distribution<double> rank(1e-3);
  std::vector<std::string> keys(count);
  for (std::string& key : keys) {
    const auto n = static_cast<uint64_t>(rank(random));
    key = std::to_string(n) + std::string(n % 40, '-');
  }
  return keys;
}

Numbers Firsts(const std::vector<std::string>& keys) {
  std::unordered_set<std::string> seen;
  Numbers firsts;
  for (uint64_t i = 0; i < keys.size(); ++i) {
    if (seen.insert(keys[i]).second) firsts.push_back(i);
  }
  return firsts;
}

struct Found {
  Numbers firsts;
  bool waited;
  uint64_t spilled_bytes;
};

Found Find(const std::vector<std::string>& keys, uint64_t memory,
           const std::function<uint64_t(const std::string&)>& hash = std::hash<std::string>()) {
  FirstFinder finder(memory);
  Found found = {};
  for (uint64_t i = 0; i < keys.size(); ++i) {
    const auto answer = finder.Meet({.number = i, .hash = hash(keys[i]), .bytes = keys[i]});
    if (answer == FirstFinder::Answer::kFirst) found.firsts.push_back(i);
  }
  found.waited = finder.waits();
  NumberRuns runs;
  finder.Settle(runs);
  NumberRuns::Merged merged(runs, memory);
  for (std::optional<uint64_t> next = merged.Peek(); next; next = merged.Peek()) {
    found.firsts.push_back(*next);
    merged.Take();
  }
  found.spilled_bytes = finder.spilled_bytes();
  return found;
}

TEST(FirstFinder, AnswersAtOnceWhileMemoryLasts) {
  const std::vector<std::string> keys = SkewedKeys(20'000, 1);
  const Found found = Find(keys, 10 << 20);
  EXPECT_FALSE(found.waited);
  EXPECT_EQ(found.firsts, Firsts(keys));
}

TEST(FirstFinder, FindsTheSameWithTooLittleMemory) {
  const std::vector<std::string> keys = SkewedKeys(20'000, 2);
  for (const uint64_t memory : {200'000, 20'000, 9'000}) {
    const Found found = Find(keys, memory);
    EXPECT_TRUE(found.waited);
    EXPECT_EQ(found.firsts, Firsts(keys)) << memory;
  }
}

// A level that is left with more than memory holds parts its keys again.
TEST(FirstFinder, PartsThePartsThatAreStillTooLarge) {
  const std::vector<std::string> keys = SkewedKeys(4'000, 3);
  const Found once = Find(keys, 20'000);
  const Found often = Find(keys, 1);  // one key at a time
  EXPECT_EQ(often.firsts, Firsts(keys));
  EXPECT_GT(often.spilled_bytes, once.spilled_bytes * 3 / 2);
}

// What cannot be told apart by hashes is by bytes, and an end is reached though no part is smaller.
TEST(FirstFinder, TellsKeysOfOneHashApart) {
  std::vector<std::string> keys(300);
  for (size_t i = 0; i < keys.size(); ++i) keys[i] = std::to_string(i * i % 71);
  for (const uint64_t memory : {1 << 20, 9'000, 1}) {
    EXPECT_EQ(Find(keys, memory, [](const std::string&) { return 7; }).firsts, Firsts(keys));
  }
}

TEST(FirstFinder, TakesEmptyKeysAndLongOnes) {
  const std::vector<std::string> keys = {"",  std::string(1 << 20, 'a'), "",
                                         "b", std::string(1 << 20, 'a'), std::string(1 << 20, 'b')};
  for (const uint64_t memory : {10 << 20, 1}) EXPECT_EQ(Find(keys, memory).firsts, Firsts(keys));
}

TEST(NumberRuns, MergesWhatComesInRuns) {
  NumberRuns runs;
  std::mt19937_64 random(4);
  Numbers all;
  for (int run = 0; run < 200; ++run) {
    uint64_t number = random() % 1000;
    for (uint64_t i = random() % 500; i > 0; --i) {
      number += 1 + random() % 1000;
      runs.Append(number);
      all.push_back(number);
    }
  }
  EXPECT_EQ(runs.size(), all.size());
  std::ranges::sort(all);
  NumberRuns::Merged merged(runs, 1);
  for (const uint64_t number : all) {
    ASSERT_EQ(merged.Peek(), number);
    merged.Take();
  }
  EXPECT_FALSE(merged.Peek());
}

}  // namespace
}  // namespace tamis::command
