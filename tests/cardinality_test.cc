// Distinct keys, counted without remembering them.

#include "cardinality.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "tamis/engine.h"

namespace tamis::command {
namespace {

std::vector<uint64_t> HashesOf(uint64_t first, uint64_t count) {
  std::vector<uint64_t> keys(count);
  std::vector<uint64_t> hashes(count);
  for (uint64_t i = 0; i < count; ++i) keys[i] = first + i;
  const Engine engine({.threads = 1});
  engine.Hash(Spec{.blocks = 1}, Keys::U64(keys), hashes);
  return hashes;
}

TEST(CardinalityCounter, IsExactForNoneAndNearlyForFew) {
  CardinalityCounter counter;
  EXPECT_EQ(counter.Estimate(), 0);
  counter.Add(HashesOf(0, 1));
  EXPECT_NEAR(counter.Estimate(), 1, 0.01);
  counter.Add(HashesOf(0, 100));
  EXPECT_NEAR(counter.Estimate(), 100, 1);
}

// Five standard errors: chance fails it less than once in a million runs, were seeds not fixed.
TEST(CardinalityCounter, KeepsItsErrorAtEverySize) {
  for (const uint64_t count : {1'000, 20'000, 65'536, 200'000, 3'000'000}) {
    CardinalityCounter counter;
    counter.Add(HashesOf(count << 20, count));
    const auto wanted = static_cast<double>(count);
    EXPECT_NEAR(counter.Estimate(), wanted, 5 * CardinalityCounter::kStandardError * wanted);
  }
}

TEST(CardinalityCounter, CountsEqualKeysOnce) {
  CardinalityCounter once;
  CardinalityCounter often;
  once.Add(HashesOf(7, 50'000));
  for (int i = 0; i < 3; ++i) often.Add(HashesOf(7, 50'000));
  EXPECT_EQ(once.Estimate(), often.Estimate());
}

// Hashes whose runs of zeros no 2^60 keys would show: still a number.
TEST(CardinalityCounter, BearsHashesThatAreAllZerosOrOnes) {
  CardinalityCounter counter;
  counter.Add(std::vector<uint64_t>{0, UINT64_MAX});
  EXPECT_TRUE(std::isfinite(counter.Estimate()));
  EXPECT_GT(counter.Estimate(), 0);
}

}  // namespace
}  // namespace tamis::command
