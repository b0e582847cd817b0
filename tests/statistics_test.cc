// Measured against promised rates. Every interval is kSigmas standard deviations wide each way,
// which are worked out beside it. Where a row of the cases is about the classic filter's positions,
// the blocked variants are held to the same property; what is its own is in classic_test.cc.

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "samples.h"
#include "tamis/bits.h"
#include "tamis/engine.h"
#include "tamis/hash.h"

namespace tamis {
namespace {

struct Sample {
  double mean;
  double sigma;  // of the mean
};

Sample SampleOf(const std::vector<double>& values) {
  double sum = 0;
  double squares = 0;
  for (const double value : values) {
    sum += value;
    squares += value * value;
  }
  const auto n = static_cast<double>(values.size());
  const double mean = sum / n;
  return {mean, std::sqrt((squares / n - mean * mean) / (n - 1))};
}

// Whether a key has one bit in each word of its block, not k anywhere.
bool SplitWords(const Filter& filter) {
  return filter.spec().variant == Variant::kSplitBlock ||
         filter.spec().variant == Variant::kSplitBlock512;
}

// Rate of each block from its own bits, counted one by one.
std::vector<double> BlockRatesOf(const Filter& filter) {
  const auto* words = reinterpret_cast<const uint8_t*>(filter.bytes().data());
  const uint64_t bytes = filter.spec().block_bytes();
  const auto fill = [&](uint64_t first, uint64_t count) {
    int set = 0;
    for (uint64_t i = 0; i < count; ++i) set += std::popcount(words[first + i]);
    return set / (8.0 * static_cast<double>(count));
  };
  std::vector<double> rates(filter.spec().blocks, 1);
  for (uint64_t block = 0; block < rates.size(); ++block) {
    if (!SplitWords(filter)) {
      rates[block] = std::pow(fill(block * bytes, bytes), filter.spec().k);
      continue;
    }
    for (int word = 0; word < kBlockWords; ++word) {
      rates[block] *= fill(block * bytes + word * bytes / kBlockWords, bytes / kBlockWords);
    }
  }
  return rates;
}

// The observed rate, and how far from theory it may lie. Blocks are filled (almost) independently,
// so it has the sigma of their mean. A classic filter is filled as a whole: its fill's sigma
// follows from the occupancy of m cells, and its rate is the fill to the k.
Sample ObservedSample(const Filter& filter) {
  const Spec& spec = filter.spec();
  if (!spec.classic()) return SampleOf(BlockRatesOf(filter));
  const double load = spec.k * static_cast<double>(filter.inserted()) / static_cast<double>(spec.m);
  const double clear = std::exp(-load);
  const double sigma =
      std::sqrt(clear * (1 - (1 + load) * clear) / static_cast<double>(spec.m)) / (1 - clear);
  return {std::pow(filter.Fill(), spec.k), spec.k * sigma * filter.ObservedFpr()};
}

void Fill(Engine& engine, Filter& filter, uint64_t keys, uint64_t set) {
  engine.Insert(filter, Keys::U64(DistinctKeys(keys, set)));
}

class Rates : public testing::TestWithParam<Variant> {
 protected:
  Engine engine_;
};
INSTANTIATE_TEST_SUITE_P(Variants, Rates,
                         testing::ValuesIn(AllVariants().begin(), AllVariants().end()),
                         [](const auto& test) { return std::string(NameOf(test.param)); });

// Three rates of one filter: expected from the number of keys, observed in its bits, measured with
// foreign keys. The measured one varies about the observed one as a binomial share does.
TEST_P(Rates, ExpectedObservedAndMeasuredAgree) {
  constexpr uint64_t kKeys = 300'000;
  constexpr uint64_t kTrials = 1'000'000;
  for (const double bits_per_key : {3.0, 6.0, 8.0, 10.0, 16.0, 20.0}) {
    SCOPED_TRACE(bits_per_key);
    Filter filter(PlanForBitsPerKey(kKeys, bits_per_key, {.variant = GetParam()}));
    Fill(engine_, filter, kKeys, 1);
    const Sample blocks = ObservedSample(filter);
    EXPECT_NEAR(filter.ObservedFpr(), blocks.mean, 1e-12);
    EXPECT_NEAR(filter.ObservedFpr(), filter.ExpectedFpr(), kSigmas * blocks.sigma);
    EXPECT_NEAR(MeasuredFpr(engine_, filter, kTrials, 2), filter.ObservedFpr(),
                kSigmas * BinomialSigma(filter.ObservedFpr(), kTrials));
    EXPECT_EQ(filter.ExpectedFpr(), filter.plan().fpr);
  }
}

// A bit is clear when no key of its block took it. With a Poisson load l, e^(-l / W) in a split
// block's word of W bits, e^(-l (1 - (1 - 1/B)^k)) in an open block of B; a classic filter is one
// block. A fill varies with its block's load, by at most 1 / 2.
TEST_P(Rates, FillFollowsFromTheLoad) {
  Filter filter(PlanForBytes(1 << 20, {.variant = GetParam()}));
  const Spec& spec = filter.spec();
  constexpr uint64_t kKeys = 400'000;
  EXPECT_EQ(filter.Fill(), 0);
  Fill(engine_, filter, kKeys, 1);
  const auto blocks = static_cast<double>(spec.blocks);
  const double bits = static_cast<double>(spec.bits()) / blocks;
  const double k = SplitWords(filter) ? 1 : spec.k;
  const double cells = SplitWords(filter) ? bits / kBlockWords : bits;
  const double load = static_cast<double>(kKeys) / blocks;
  EXPECT_NEAR(filter.Fill(), -std::expm1(load * std::expm1(k * std::log1p(-1 / cells))),
              kSigmas * 0.5 / std::sqrt(static_cast<double>(spec.bytes()) / 64));
}

TEST_P(Rates, S17_SmallFiltersKeepTheirPromiseOverManySeeds) {
  constexpr uint64_t kKeys = 100;
  constexpr uint64_t kProbes = 500;
  const auto measured = [&](Plan plan) {
    std::vector<double> rates(4000);
    for (uint64_t seed = 0; seed < rates.size(); ++seed) {
      plan.spec.seed = seed;
      Filter filter(plan);
      Fill(engine_, filter, kKeys, 2 * seed);
      rates[seed] = MeasuredFpr(engine_, filter, kProbes, 2 * seed + 1);
    }
    return SampleOf(rates);
  };
  const Plan plan = PlanFor(kKeys, 0.01, {.variant = GetParam()});
  const Sample sized = measured(plan);
  if (GetParam() == Variant::kClassic || GetParam() == Variant::kRegisterBlocked) {
    // The formulas hold without slack where there is no block, or there are many.
    EXPECT_NEAR(sized.mean, ExpectedFpr(plan.spec, kKeys), kSigmas * sized.sigma);
  } else {
    EXPECT_LT(sized.mean + kSigmas * sized.sigma, 0.01);
  }
  if (GetParam() == Variant::kSplitBlock) {
    // 128 bytes are too few: 1.14 % by the formula, 1.053 % in truth, since loads of only four
    // blocks vary less than Poisson's.
    const Sample smaller = measured(PlanForBytes(128));
    EXPECT_NEAR(smaller.mean, 0.01053, kSigmas * smaller.sigma);
    EXPECT_GT(smaller.mean - kSigmas * smaller.sigma, 0.01);
  }
}

TEST_P(Rates, S18_OverfillIsReportedFromTheFirstKeyPastThePlan) {
  constexpr uint64_t kKeys = 200'000;
  Filter filter(PlanFor(kKeys, 0.01, {.variant = GetParam()}));
  EXPECT_FALSE(filter.overfull());
  Fill(engine_, filter, kKeys, 1);
  EXPECT_FALSE(filter.overfull());
  EXPECT_LE(filter.ExpectedFpr(), GetParam() == Variant::kClassic ? 0.0101 : 0.01);
  Fill(engine_, filter, 1, 2);
  EXPECT_TRUE(filter.overfull());
  Fill(engine_, filter, kKeys - 1, 3);
  EXPECT_TRUE(filter.overfull());
  // Twice the plan: many times the rate, and the bits agree.
  EXPECT_GT(filter.ExpectedFpr(), 0.07);
  if (GetParam() == Variant::kClassic) {
    EXPECT_NEAR(filter.ExpectedFpr(), 0.157, 0.0005);
  }
  EXPECT_NEAR(filter.ObservedFpr(), filter.ExpectedFpr(), kSigmas * ObservedSample(filter).sigma);
  filter.Clear();
  EXPECT_FALSE(filter.overfull());
  EXPECT_EQ(filter.ExpectedFpr(), 0);
}

TEST_P(Rates, S18_AFilterMadeBySizeAloneHasNoPlanToPass) {
  Filter filter(PlanForBytes(64, {.variant = GetParam()}));
  Fill(engine_, filter, 10'000, 1);
  EXPECT_FALSE(filter.overfull());
  EXPECT_GT(filter.ExpectedFpr(), 0.999);
}

TEST_P(Rates, S6_OneKeyInAFilterOf2To32BitsMakesNothingElsePresent) {
  Filter filter(PlanForBytes(uint64_t{1} << 29, {.variant = GetParam()}), HugePages::kNever);
  EXPECT_EQ(filter.spec().bits(), uint64_t{1} << 32);
  Fill(engine_, filter, 1, 1);
  EXPECT_EQ(engine_.Contains(filter, Keys::U64(DistinctKeys(1, 1))), 1U);
  EXPECT_EQ(MeasuredFpr(engine_, filter, 50'000, 2), 0);
}

TEST_P(Rates, S21_AtTwentyNineBitsAKeyTheHashIsNoBottleneck) {
  constexpr uint64_t kTrials = 4'000'000;
  Filter filter(PlanForBytes(28'755'176 / 8 / 4, {.variant = GetParam()}));
  Fill(engine_, filter, 250'000, 1);
  EXPECT_LT(filter.ExpectedFpr(), GetParam() == Variant::kRegisterBlocked ? 2e-3 : 7e-5);
  EXPECT_NEAR(MeasuredFpr(engine_, filter, kTrials, 2), filter.ExpectedFpr(),
              kSigmas * BinomialSigma(filter.ExpectedFpr(), kTrials));
}

TEST_P(Rates, S23_AtManyBitsAKeyTheRateIsInItsIntervalOrAtTheFloor) {
  constexpr uint64_t kTrials = 1'000'000;
  const PlanOptions options{.variant = GetParam()};
  // 15 bits a key at 15 million keys by the formula; the same load with fewer keys, measured.
  const Plan large = PlanForBitsPerKey(15'000'000, 15, options);
  Filter filter(PlanForBitsPerKey(300'000, 15, options));
  EXPECT_NEAR(filter.plan().fpr / large.fpr, 1, 1e-3);
  Fill(engine_, filter, 300'000, 1);
  EXPECT_NEAR(MeasuredFpr(engine_, filter, kTrials, 2), large.fpr,
              kSigmas * BinomialSigma(large.fpr, kTrials));
  // At 250 bits a key the stated rate is not below the floor of the hash, and none is measured.
  const Plan wide = PlanForBitsPerKey(15'000'000, 250, options);
  if (GetParam() != Variant::kClassic) {
    EXPECT_GT(wide.fpr, 15e6 / std::pow(2.0, 64));
  }
  EXPECT_LT(wide.fpr, GetParam() == Variant::kRegisterBlocked ? 3e-7 : 1e-8);
  Filter sparse(PlanForBitsPerKey(100'000, 250, options));
  Fill(engine_, sparse, 100'000, 1);
  EXPECT_EQ(MeasuredFpr(engine_, sparse, kTrials, 2), 0);
}

TEST_P(Rates, S24_EveryBitIsReachable) {
  // Neither a power of two blocks nor of bytes.
  Filter filter(PlanForBytes(3000, {.variant = GetParam()}));
  EXPECT_FALSE(std::has_single_bit(filter.spec().bits()));
  Fill(engine_, filter, 200'000, 1);
  EXPECT_EQ(filter.Fill(), 1);
  EXPECT_EQ(filter.ObservedFpr(), 1);
}

TEST_P(Rates, S24_AHalfFullFilterDoesNotCompress) {
  // Entropy of the bytes, by their place in the block; 8 bits would be pure noise. Loads vary from
  // block to block, which takes some hundredths off.
  Filter filter(PlanForBytes(1 << 22, {.variant = GetParam()}));
  const uint64_t width = filter.spec().block_bytes();
  const double bits_per_key = filter.spec().k / std::log(2.0);
  Fill(engine_, filter,
       static_cast<uint64_t>(static_cast<double>(filter.spec().bits()) / bits_per_key), 1);
  EXPECT_NEAR(filter.Fill(), 0.5, 0.01);
  for (uint64_t place = 0; place < width; ++place) {
    std::array<double, 256> counts{};
    for (uint64_t i = place; i < filter.spec().bytes(); i += width) {
      ++counts[std::to_integer<size_t>(filter.bytes()[i])];
    }
    double entropy = 0;
    for (const double count : counts) {
      const double share = count * static_cast<double>(width) / (1 << 22);
      if (share > 0) entropy -= share * std::log2(share);
    }
    EXPECT_GT(entropy, 7.8) << "byte " << place << " of the blocks";
  }
}

// Present in both of two filters over the same keys: the product of their rates if they are
// independent, and the whole rate if one seed's false positives were the other's.
TEST_P(Rates, F15_DifferentSeedsHaveIndependentFalsePositives) {
  constexpr uint64_t kKeys = 300'000;
  constexpr uint64_t kTrials = 1'000'000;
  const std::vector<uint64_t> foreign = DistinctKeys(kTrials, 2);
  std::array<std::vector<uint8_t>, 2> answers;
  std::array<double, 2> rates{};
  for (uint64_t seed = 0; seed < 2; ++seed) {
    Filter filter(PlanForBitsPerKey(kKeys, 6, {.variant = GetParam(), .seed = seed}));
    Fill(engine_, filter, kKeys, 1);
    answers[seed].resize(AnswerBytes(kTrials));
    const uint64_t present = engine_.Contains(filter, Keys::U64(foreign), answers[seed]);
    rates[seed] = static_cast<double>(present) / kTrials;
  }
  uint64_t both = 0;
  for (uint64_t i = 0; i < kTrials; ++i) {
    both += AnswerAt(answers[0].data(), i) && AnswerAt(answers[1].data(), i);
  }
  const double product = rates[0] * rates[1];
  EXPECT_NEAR(static_cast<double>(both) / kTrials, product,
              kSigmas * BinomialSigma(product, kTrials));
}

// Chi squared over 96 bins has mean 95 and variance 190.
TEST(Positions, S20_BlocksAreUniformForASizeThatIsNoPowerOfTwo) {
  constexpr uint32_t kBlocks = 3U << 29;
  constexpr uint32_t kBins = 96;
  constexpr uint64_t kKeys = 1'000'000;
  std::array<double, kBins> counts{};
  for (const uint64_t key : DistinctKeys(kKeys, 1)) {
    ++counts[Locate(Xxh64(key, 0), kBlocks).block / (kBlocks / kBins)];
  }
  double chi_squared = 0;
  constexpr double kMean = static_cast<double>(kKeys) / kBins;
  for (const double count : counts) chi_squared += (count - kMean) * (count - kMean) / kMean;
  EXPECT_NEAR(chi_squared, kBins - 1, 6.5 * std::sqrt(2.0 * (kBins - 1)));
}

// Whatever the low half, be it even, 0 or all ones: one bit in each of eight words.
TEST(Positions, S22_AKeyHasEightPositions) {
  for (const uint32_t low : {0U, 1U, 2U, 0x80000000U, 0xffffffffU, 0x10000U, 12345678U}) {
    uint32_t narrow[kBlockWords] = {};
    uint64_t wide[kBlockWords] = {};
    EXPECT_TRUE(Mark(narrow, low));
    EXPECT_TRUE(Mark(wide, low));
    for (int word = 0; word < kBlockWords; ++word) {
      EXPECT_EQ(std::popcount(narrow[word]), 1);
      EXPECT_EQ(std::popcount(wide[word]), 1);
    }
  }
}

}  // namespace
}  // namespace tamis
