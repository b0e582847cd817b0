// The classic variant's own: positions by probe schemes, and the cases that are about them.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "samples.h"
#include "tamis/engine.h"

namespace tamis {
namespace {

Spec ClassicSpec(uint64_t m, int k) {
  return {.variant = Variant::kClassic, .m = m, .k = k, .probe = ProbeScheme::kEnhancedDouble};
}

Filter Filled(Engine& engine, const Plan& plan, uint64_t keys) {
  Filter filter(plan);
  engine.Insert(filter, Keys::U64(DistinctKeys(keys, 1)));
  return filter;
}

// Positions by the two words of a hash.
std::vector<uint64_t> Positions(uint64_t x, uint64_t y, uint64_t m, int k) {
  const uint64_t hash[] = {x, y};
  EnhancedDouble::Walk<uint64_t> walk(hash, BitRange(m));
  std::vector<uint64_t> positions;
  positions.reserve(static_cast<size_t>(k));
  for (int i = 0; i < k; ++i) positions.push_back(walk.Next());
  return positions;
}

TEST(Arithmetic, ModByTheReciprocalIsExact) {
  const std::vector<uint64_t> sizes = {1,
                                       2,
                                       3,
                                       7,
                                       64,
                                       9586,
                                       (uint64_t{1} << 32) - 1,
                                       uint64_t{1} << 32,
                                       335'477'043'208,
                                       (uint64_t{1} << 63) - 25,
                                       uint64_t{1} << 63};
  for (const uint64_t m : sizes) {
    const BitRange range(m);
    std::vector<uint64_t> numbers = DistinctKeys(1000, 2);
    for (const uint64_t near : {uint64_t{0}, m, 2 * m, UINT64_MAX / m * m, UINT64_MAX}) {
      for (const int off : {-1, 0, 1}) numbers.push_back(near + static_cast<uint64_t>(off));
    }
    for (const uint64_t x : numbers) {
      ASSERT_EQ(Mod(x, range), x % m) << x << " mod " << m;
      ASSERT_LT(Scale(x, range), m);
    }
  }
}

TEST(ClassicCases, S5_PositionsReachPast2To38AndUpTo2To63) {
  for (const uint64_t m : {uint64_t{335'477'043'208}, kMaxClassicBits}) {
    uint64_t largest = 0;
    uint64_t least = UINT64_MAX;
    for (const uint64_t key : DistinctKeys(1000, 3)) {
      for (const uint64_t bit : BitsOf(ClassicSpec(m, 23), key)) {
        ASSERT_LT(bit, m);
        largest = std::max(largest, bit);
        least = std::min(least, bit);
      }
    }
    EXPECT_GT(largest, m - m / 1000);
    EXPECT_LT(least, m / 1000);
  }
  EXPECT_EQ(ClassicSpec(kMaxClassicBits, 64).bytes(), uint64_t{1} << 60);
  Validate(ClassicSpec(kMaxClassicBits, 64));
  EXPECT_THROW(Validate(ClassicSpec(kMaxClassicBits + 1, 7)), InvalidArgument);
  EXPECT_THROW(Validate(ClassicSpec(0, 7)), InvalidArgument);
}

TEST(ClassicCases, S13_KIsBounded) {
  for (const int k : {0, -1, 65, 369'098'752}) {
    ExpectNames(RefusalOf<InvalidArgument>([&] { Validate(ClassicSpec(1000, k)); }), {"k"});
  }
  EXPECT_EQ(PlanFor(1000, 1e-25, {.variant = Variant::kClassic}).spec.k, 64);
}

// Chi squared over 96 bins has mean 95 and variance 190.
TEST(ClassicCases, S20_PositionsAreUniformForASizeThatIsNoPowerOfTwo) {
  constexpr uint64_t kM = uint64_t{3} << 29;
  constexpr uint32_t kBins = 96;
  constexpr int kK = 20;
  for (const int i : {0, 1, 7, 19}) {
    std::array<double, kBins> counts{};
    constexpr uint64_t kKeys = 200'000;
    for (const uint64_t key : DistinctKeys(kKeys, 4)) {
      ++counts[BitsOf(ClassicSpec(kM, kK), key)[static_cast<size_t>(i)] / (kM / kBins)];
    }
    double chi_squared = 0;
    constexpr double kMean = static_cast<double>(kKeys) / kBins;
    for (const double count : counts) chi_squared += (count - kMean) * (count - kMean) / kMean;
    EXPECT_NEAR(chi_squared, kBins - 1, 6.5 * std::sqrt(2.0 * (kBins - 1))) << "position " << i;
  }
}

// 10 million foreign keys give some 10 false positives; a weak double hash gives a thousand.
TEST(ClassicCases, S21_TheRateIsNearOneInAMillion) {
  Engine engine;
  constexpr uint64_t kTrials = 10'000'000;
  const Filter filter = Filled(engine, {.spec = ClassicSpec(28'755'176, 20)}, 1'000'000);
  EXPECT_NEAR(filter.ExpectedFpr(), 1e-6, 1e-8);
  EXPECT_NEAR(MeasuredFpr(engine, filter, kTrials, 2), filter.ExpectedFpr(),
              kSigmas * BinomialSigma(filter.ExpectedFpr(), kTrials));
}

// Whatever the words, also those that stop a plain double hash: the step is odd, and positions of
// one key differ as random ones would.
TEST(ClassicCases, S22_NoStepMakesPositionsFallTogether) {
  constexpr int kK = 20;
  for (const uint64_t m : {uint64_t{1} << 20, uint64_t{1'000'003}, uint64_t{3} << 29}) {
    for (const uint64_t y : {uint64_t{0}, uint64_t{1}, uint64_t{2}, uint64_t{1} << 63,
                             uint64_t{1} << 62, UINT64_MAX / 3, UINT64_MAX / 3 * 2, UINT64_MAX}) {
      for (const uint64_t x : {uint64_t{0}, uint64_t{12345}, UINT64_MAX}) {
        const std::vector<uint64_t> positions = Positions(x, y, m, kK);
        EXPECT_GE(std::set<uint64_t>(positions.begin(), positions.end()).size(), kK - 1U)
            << "words " << x << ", " << y << ", m " << m;
      }
    }
  }
  // Every bit of a small filter is reached by one key's walk, were it long enough.
  const std::vector<uint64_t> walk = Positions(0, 0, 97, 5000);
  EXPECT_EQ(std::set<uint64_t>(walk.begin(), walk.end()).size(), 97U);
}

TEST(ClassicCases, S23_AtManyBitsAKeyNothingForeignIsFound) {
  Engine engine;
  const Plan plan = PlanForBitsPerKey(100'000, 250, {.variant = Variant::kClassic});
  EXPECT_EQ(plan.spec.k, 64);
  const Filter filter = Filled(engine, plan, 100'000);
  EXPECT_EQ(MeasuredFpr(engine, filter, 1'000'000, 2), 0);
}

TEST(ClassicCases, S24_SizesThatAreNoWholeWordsAreUsedToTheLastBit) {
  Engine engine;
  for (const uint64_t m : {1, 63, 65, 1000, 4097}) {
    const Filter filter = Filled(engine, {.spec = ClassicSpec(m, 3)}, 50'000);
    EXPECT_EQ(filter.bytes().size(), (m + 63) / 64 * 8);
    EXPECT_EQ(filter.Fill(), 1) << m << " bits, all set, and none past them";
  }
}

TEST(Classic, SchemesHaveToGoTogether) {
  Spec spec = ClassicSpec(1000, 7);
  spec.probe = ProbeScheme::kNone;
  EXPECT_THROW(Validate(spec), InvalidArgument);
  spec = ClassicSpec(1000, 7);
  spec.variant = Variant::kSplitBlock;
  EXPECT_THROW(Validate(spec), InvalidArgument);
  EXPECT_EQ(ClassicSpec(1000, 7).hash_words(), 2);
}

TEST(Classic, HashesOfTheWrongNumberOfWordsAreRefused) {
  Engine engine;
  Filter filter({.spec = ClassicSpec(1000, 7)});
  const std::vector<uint64_t> hashes(6, 1);
  ExpectNames(RefusalOf<InvalidArgument>([&] { engine.Insert(filter, Keys::Hashes(hashes)); }),
              {"1 words", "takes 2"});
  EXPECT_EQ(engine.InsertNew(filter, Keys::Hashes(hashes, 2)), 1U);
}

}  // namespace
}  // namespace tamis
