// Keys of benchmarks: held and foreign ones are told apart by their numbers alone, so a repeated
// key would falsify every rate.

#include "bench/key_set.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tamis/engine.h"

namespace tamis::bench {
namespace {

class KeySetOfKind : public testing::TestWithParam<std::string_view> {};

TEST_P(KeySetOfKind, HasDistinctKeysOfItsSize) {
  constexpr uint64_t kCount = 5000;
  const KeySet held = KeySet::Range(GetParam(), 0, kCount);
  const KeySet foreign = KeySet::Range(GetParam(), kForeign, kCount);
  std::set<std::string> seen;
  for (const Keys& keys : {held.keys(), foreign.keys()}) {
    ASSERT_EQ(keys.size(), kCount);
    for (uint64_t i = 0; i < kCount; ++i) {
      EXPECT_EQ(keys[i].size(), KeyBytes(GetParam()));
      seen.emplace(keys[i]);
    }
  }
  EXPECT_EQ(seen.size(), 2 * kCount);
}

// A binomial count of 100,000 lies within 5 standard deviations, but in one run of a million.
TEST_P(KeySetOfKind, MixesInTheShareAskedFor) {
  constexpr uint64_t kHeld = 1000;
  constexpr uint64_t kAsked = 100'000;
  constexpr double kDeviation = 158;
  Engine engine({.threads = 1});
  Filter filter(PlanForBitsPerKey(kHeld, 64));
  engine.Insert(filter, KeySet::Range(GetParam(), 0, kHeld).keys());
  const auto present = [&](double share) {
    const KeySet mixed = KeySet::Mixed(GetParam(), kAsked, kHeld, share, 3);
    return static_cast<double>(engine.Contains(filter, mixed.keys()));
  };
  EXPECT_LT(present(0), 100);  // false positives of such a filter: 1 in 100,000
  EXPECT_NEAR(present(0.5), kAsked / 2.0, 5 * kDeviation + 100);
  EXPECT_EQ(present(1), kAsked);
}

INSTANTIATE_TEST_SUITE_P(Kinds, KeySetOfKind, testing::ValuesIn(kKeyKinds),
                         [](const auto& kind) { return std::string(kind.param); });

TEST(KeySet, RefusesAKindThatIsNone) {
  EXPECT_THROW(KeySet::Range("strings", 0, 1), InvalidArgument);
}

}  // namespace
}  // namespace tamis::bench
