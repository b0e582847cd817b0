// Folding: a filter made smaller is the filter that the same keys would have made at that size.

#include "tamis/fold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "samples.h"
#include "tamis/engine.h"

namespace tamis {
namespace {

Spec Blocked(Variant variant, uint64_t blocks) {
  Spec spec{.variant = variant, .blocks = blocks};
  if (variant == Variant::kCacheLine) spec.k = 11;
  if (variant == Variant::kRegisterBlocked) spec.k = 5;
  return spec;
}

// Every probe scheme there is, with a hash that gives it enough words.
std::vector<Spec> ClassicSpecs(uint64_t m) {
  std::vector<Spec> specs;
  ProbeSchemes::ForEach([&]<class P>(P) {
    const HashScheme hash = P::kWords <= 2 ? HashScheme::kXxh64 : HashScheme::kBitsAndBlooms;
    specs.push_back({.variant = Variant::kClassic,
                     .hash = hash,
                     .m = m,
                     .k = 7,
                     .probe = static_cast<ProbeScheme>(P::kId)});
  });
  return specs;
}

Filter Filled(const Plan& plan, const std::vector<uint64_t>& keys) {
  Engine engine({.backend = "scalar"});
  Filter filter(plan);
  engine.InsertNew(filter, Keys::U64(keys));
  return filter;
}

// Folded by `factor`, it has the bytes of a filter of the small size with the same keys.
void ExpectAsIfInserted(const Spec& large, uint64_t factor, uint64_t keys) {
  const std::vector<uint64_t> some = DistinctKeys(keys, 1);
  const Filter folded = Fold(Filled({.spec = large}, some), factor);
  const Filter direct = Filled({.spec = folded.spec()}, some);
  EXPECT_EQ(folded.spec().bits() * factor, large.bits());
  ASSERT_TRUE(BytesOf(folded) == BytesOf(direct)) << ToString(large) << " by " << factor;
}

TEST(Fold, GivesTheBytesOfDirectInsertionForEveryBlockedVariantAndDivisor) {
  for (const Variant variant : AllVariants()) {
    if (variant == Variant::kClassic) continue;
    for (const uint64_t blocks : {2, 3, 64, 105, 360, 1001, 4096, 40'320}) {
      const Spec large = Blocked(variant, blocks);
      for (const uint64_t factor : FoldFactors(large)) {
        ExpectAsIfInserted(large, factor, std::min<uint64_t>(blocks, 3000));
      }
    }
  }
}

TEST(Fold, GivesTheBytesOfDirectInsertionForEveryProbeSchemeAndDivisor) {
  for (const uint64_t m : {2, 63, 64, 130, 192, 1000, 4096, 9586, 12'600, 65'536, 9 * 64 * 331}) {
    for (const Spec& large : ClassicSpecs(m)) {
      for (const uint64_t factor : FoldFactors(large)) {
        ExpectAsIfInserted(large, factor, std::min<uint64_t>(m / 64 + 1, 1000));
      }
    }
  }
}

TEST(Fold, GivesTheBytesOfDirectInsertionForFiltersOfMegabytes) {
  ExpectAsIfInserted(Blocked(Variant::kSplitBlock, 3 << 15), 6, 300'000);
  for (const Spec& large : ClassicSpecs(24'000'000)) {
    for (const uint64_t factor : {2, 3, 12, 64, 1000}) ExpectAsIfInserted(large, factor, 200'000);
  }
}

TEST(Fold, StepByStepIsTheSameAsAtOnce) {
  const std::vector<uint64_t> keys = DistinctKeys(2000, 2);
  for (const Variant variant : AllVariants()) {
    Spec spec = Blocked(variant, variant == Variant::kClassic ? 1 : 480);
    if (variant == Variant::kClassic) spec = ClassicSpecs(96'000).front();
    const Filter large = Filled({.spec = spec}, keys);
    EXPECT_TRUE(BytesOf(Fold(Fold(Fold(large, 2), 3), 4)) == BytesOf(Fold(large, 24)));
    EXPECT_TRUE(BytesOf(Fold(large, 1)) == BytesOf(large));
  }
}

// Sizes that this machine could not hold: where each key goes, by the definition alone.
TEST(Fold, MovesEveryBitToItsPlaceInFiltersPastTwoTo32Bits) {
  const std::vector<uint64_t> keys = DistinctKeys(2000, 3);
  for (const Variant variant : AllVariants()) {
    if (variant == Variant::kClassic) continue;
    for (const uint64_t blocks : {kMaxBlocks, kMaxBlocks - 1, uint64_t{3} << 30}) {
      const Spec large = Blocked(variant, blocks);
      const uint64_t block_bits = 8 * large.block_bytes();
      for (const uint64_t factor : FoldFactors(large)) {
        const Spec small = FoldedPlan({.spec = large}, factor).spec;
        for (const uint64_t key : {keys[0], keys[factor % 1000], keys[1999]}) {
          std::vector<uint64_t> bits = BitsOf(large, key);
          for (uint64_t& bit : bits) {
            bit = bit / block_bits / factor * block_bits + bit % block_bits;
          }
          ASSERT_EQ(bits, BitsOf(small, key)) << ToString(large) << " by " << factor;
        }
      }
    }
  }
}

TEST(Fold, MovesEveryBitOfAClassicFilterToItsPlacePastTwoTo38Bits) {
  const std::vector<uint64_t> keys = DistinctKeys(500, 4);
  for (const uint64_t m : {uint64_t{335'477'043'208}, uint64_t{3} << 40, kMaxClassicBits}) {
    for (const Spec& large : ClassicSpecs(m)) {
      for (const uint64_t factor : {2, 8}) {
        const Spec small = FoldedPlan({.spec = large}, factor).spec;
        for (const uint64_t key : keys) {
          std::vector<uint64_t> bits = BitsOf(large, key);
          const bool scaled = large.probe == ProbeScheme::kEnhancedDouble;
          for (uint64_t& bit : bits) bit = scaled ? bit / factor : bit % small.m;
          ASSERT_EQ(bits, BitsOf(small, key)) << ToString(large) << " by " << factor;
        }
      }
    }
  }
}

TEST(Fold, KeepsEveryKeyAndItsCount) {
  const std::vector<uint64_t> keys = DistinctKeys(50'000, 5);
  const Filter large = Filled(PlanForBytes(1 << 20), keys);
  const Filter folded = Fold(large, 16);
  EXPECT_EQ(folded.inserted(), large.inserted());
  EXPECT_EQ(Engine().Contains(folded, Keys::U64(keys)), keys.size());
  EXPECT_EQ(folded.spec().seed, large.spec().seed);
}

TEST(FoldFactors, AreAllDivisors) {
  EXPECT_EQ(FoldFactors({.blocks = 12}), (std::vector<uint64_t>{2, 3, 4, 6, 12}));
  EXPECT_EQ(FoldFactors({.blocks = 25}), (std::vector<uint64_t>{5, 25}));
  EXPECT_EQ(FoldFactors({.blocks = 4'294'967'291}), (std::vector<uint64_t>{4'294'967'291}));
  EXPECT_TRUE(FoldFactors({.blocks = 1}).empty());
  EXPECT_EQ(FoldFactors(ClassicSpecs(9586).front()), (std::vector<uint64_t>{2, 4793, 9586}));
}

TEST(FoldFactors, ThatDoNotDivideAreRefusedByNameOfThoseThatDo) {
  const auto refusal = [](const Spec& spec, uint64_t factor) {
    return RefusalOf<InvalidArgument>([&] { FoldedPlan({.spec = spec}, factor); });
  };
  ExpectNames(refusal({.blocks = 21}, 2), {"21 blocks", "by 2", "as 3, 7, 21 do"});
  ExpectNames(refusal({.blocks = 1}, 2), {"1 block", "no number does"});
  ExpectNames(refusal({.blocks = 21}, 0), {"by 0"});
  ExpectNames(refusal({.blocks = 40'320}, 11), {"2, 3, 4, 5, 6, 7, 8", "larger numbers do"});
  ExpectNames(refusal(ClassicSpecs(9586).front(), 64), {"9586 bits", "2, 4793, 9586"});
}

TEST(FoldedPlan, KeepsThePromisedRateForFewerKeys) {
  for (const Variant variant : AllVariants()) {
    Plan plan = PlanFor(1'000'000, 0.001, {.variant = variant});
    if (!plan.spec.classic()) plan.spec.blocks += plan.spec.blocks % 2;
    plan.spec.m += plan.spec.m % 2;
    const Plan half = FoldedPlan(plan, 2);
    EXPECT_EQ(half.fpr, plan.fpr);
    EXPECT_NEAR(static_cast<double>(half.capacity), 500'000, 1000);
    EXPECT_LE(ExpectedFpr(half.spec, half.capacity), half.fpr);
    EXPECT_GT(ExpectedFpr(half.spec, half.capacity + 1), half.fpr);
    EXPECT_EQ(FoldedPlan(plan, 1), plan);
  }
}

TEST(FoldedPlan, PromisesTheRateThatIsGivenInstead) {
  const Plan plan = PlanForBytes(1 << 20);
  EXPECT_EQ(FoldedPlan(plan, 4).capacity, 0U);  // made by size alone, and stays so
  const Plan folded = FoldedPlan(plan, 4, 0.01);
  EXPECT_EQ(folded.fpr, 0.01);
  EXPECT_EQ(folded.capacity, CapacityFor(folded.spec, 0.01));
  EXPECT_THROW(FoldedPlan(plan, 4, 1.5), InvalidArgument);
}

// One register that has one key is past one in a thousand: the plan says the rate that it can keep.
TEST(FoldedPlan, IsNeverOneWithoutALimitIfThereWasOne) {
  const Spec spec{.variant = Variant::kRegisterBlocked, .blocks = 1024, .k = 1};
  const Plan folded = FoldedPlan({.spec = spec, .capacity = 10, .fpr = 0.001}, 1024);
  EXPECT_EQ(folded.capacity, 1U);
  EXPECT_EQ(folded.fpr, ExpectedFpr(folded.spec, 1));
  EXPECT_GT(folded.fpr, 0.001);
}

TEST(FoldFactorFor, IsTheLargestThatKeepsTheRate) {
  const Spec spec{.blocks = 3 << 16};
  for (const uint64_t keys : {1000, 100'000, 1'000'000}) {
    for (const double fpr : {0.5, 0.01, 1e-3}) {
      const uint64_t factor = FoldFactorFor(spec, keys, fpr);
      const auto rate = [&](uint64_t by) {
        return ExpectedFpr(FoldedPlan({.spec = spec}, by).spec, keys);
      };
      EXPECT_LE(rate(factor), fpr);
      const std::vector<uint64_t> factors = FoldFactors(spec);
      const auto next = std::upper_bound(factors.begin(), factors.end(), factor);
      if (next != factors.end()) {
        EXPECT_GT(rate(*next), fpr) << keys << " at " << fpr;
      }
    }
  }
  EXPECT_EQ(FoldFactorFor({.blocks = 4'294'967'291}, 100'000'000, 0.001), 1U);  // a prime number
  ExpectNames(RefusalOf<InvalidArgument>([&] { FoldFactorFor(spec, 10'000'000, 1e-6); }),
              {"10000000 keys", "above 1e-06", "before it is folded"});
}

TEST(CapacityFor, IsWhereTheRatePasses) {
  for (const Variant variant : AllVariants()) {
    for (const double fpr : {0.3, 0.01, 1e-5}) {
      const Plan plan = PlanFor(123'456, fpr, {.variant = variant});
      const uint64_t most = CapacityFor(plan.spec, fpr);
      EXPECT_LE(ExpectedFpr(plan.spec, most), fpr);
      EXPECT_GT(ExpectedFpr(plan.spec, most + 1), fpr);
    }
  }
  EXPECT_EQ(CapacityFor({.variant = Variant::kRegisterBlocked, .blocks = 1, .k = 1}, 0.001), 0U);
  EXPECT_THROW(CapacityFor({.blocks = 1}, 0), InvalidArgument);
}

TEST(HalvablePlan, CanBeHalvedSixTimesForAThousandthOfItsSize) {
  for (const Variant variant : AllVariants()) {
    const Plan plan = PlanFor(10'000'019, 0.001, {.variant = variant});
    const Plan halvable = HalvablePlan(plan);
    EXPECT_NO_THROW(FoldedPlan(halvable, 64));
    EXPECT_EQ(halvable.capacity, plan.capacity);
    EXPECT_GE(halvable.spec.bits(), plan.spec.bits());
    EXPECT_LE(static_cast<double>(halvable.spec.bits()),
              1.001 * static_cast<double>(plan.spec.bits()));
    const Plan small = PlanFor(100, 0.001, {.variant = variant});
    EXPECT_EQ(HalvablePlan(small), small);
  }
  EXPECT_EQ(HalvablePlan({.spec = {.blocks = kMaxBlocks}}).spec.blocks, kMaxBlocks);
  EXPECT_EQ(HalvablePlan({.spec = {.blocks = 64'000}}).spec.blocks, 64'000U);
}

TEST(Fold, ObservedRateIsThatOfTheSmallSize) {
  const std::vector<uint64_t> keys = DistinctKeys(200'000, 6);
  const Filter folded = Fold(Filled(PlanForBytes(4 << 20), keys), 16);
  const double expected = folded.ExpectedFpr();
  EXPECT_NEAR(folded.ObservedFpr() / expected, 1, 0.02);
  constexpr uint64_t kTrials = 1 << 20;
  EXPECT_NEAR(MeasuredFpr(Engine(), folded, kTrials, 7), expected,
              kSigmas * BinomialSigma(expected, kTrials));
}

}  // namespace
}  // namespace tamis
