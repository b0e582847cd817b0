// Plans at the ends of their ranges: interop sizes, sizes by bytes and by bits a key, very many
// blocks, and rates of filters filled far beyond any plan.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "samples.h"
#include "tamis/bits.h"
#include "tamis/sizing.h"

namespace tamis {
namespace {

constexpr double kTwo32 = 4294967296.0;
constexpr uint64_t kMiB = uint64_t{1} << 20;

TEST(Interop, SizesArePowersOfTwoUpTo128MiB) {
  for (const uint64_t keys : {0ULL, 1ULL, 100ULL, 100'000ULL, 50'000'000ULL}) {
    const Plan plan = PlanFor(keys, 0.01, {.interop = true});
    EXPECT_TRUE(std::has_single_bit(plan.spec.blocks));
    EXPECT_GE(plan.spec.blocks, PlanFor(keys, 0.01).spec.blocks);
    EXPECT_LE(plan.spec.bytes(), 128 * kMiB);
    EXPECT_LE(ExpectedFpr(plan.spec, keys), 0.01);
  }
  EXPECT_EQ(PlanForBytes(128 * kMiB, {.interop = true}).spec.bytes(), 128 * kMiB);
  EXPECT_EQ(PlanForBytes(127 * kMiB, {.interop = true}).spec.bytes(), 64 * kMiB);
  const Plan plan = PlanForBitsPerKey(1000, 10, {.interop = true});
  EXPECT_EQ(plan.spec.blocks, 64U);
  EXPECT_EQ(plan.fpr, ExpectedFpr(plan.spec, 1000));
}

TEST(Interop, WhatParquetReadersWouldRefuseIsRefused) {
  ExpectNames(RefusalOf<InvalidArgument>([] { PlanFor(200'000'000, 0.01, {.interop = true}); }),
              {"268435456 bytes", "134217728"});
  ExpectNames(RefusalOf<InvalidArgument>([] { PlanForBytes(256 * kMiB, {.interop = true}); }),
              {"268435456 bytes", "134217728"});
  ExpectNames(RefusalOf<InvalidArgument>([] {
                PlanFor(1000, 0.01, {.variant = Variant::kSplitBlock512, .interop = true});
              }),
              {"split_block_512"});
  ExpectNames(RefusalOf<InvalidArgument>([] { PlanFor(10, 0.01, {.seed = 42, .interop = true}); }),
              {"seed 42"});
}

TEST(PlanForBytes, TakesAllWholeBlocks) {
  EXPECT_EQ(PlanForBytes(32).spec.blocks, 1U);
  EXPECT_EQ(PlanForBytes(1000).spec.blocks, 31U);
  EXPECT_EQ(PlanForBytes(1000, {.variant = Variant::kSplitBlock512}).spec.blocks, 15U);
  EXPECT_EQ(PlanForBytes(32 * kMaxBlocks + 31).spec.blocks, kMaxBlocks);
  const Plan plan = PlanForBytes(4096, {.seed = 7});
  EXPECT_EQ(plan.spec.seed, 7U);
  EXPECT_EQ(plan.capacity, 0U);
  EXPECT_EQ(plan.fpr, 0);
}

TEST(PlanForBytes, RefusesNoBlockAndTooManyByName) {
  for (const uint64_t bytes : {uint64_t{0}, uint64_t{31}, 32 * (kMaxBlocks + 1), UINT64_MAX}) {
    ExpectNames(RefusalOf<InvalidArgument>([&] { PlanForBytes(bytes); }),
                {std::to_string(bytes) + " bytes", "split_block", "32 to 137438953440"});
  }
  ExpectNames(
      RefusalOf<InvalidArgument>([] { PlanForBytes(63, {.variant = Variant::kSplitBlock512}); }),
      {"63 bytes", "split_block_512", "64 to 274877906880"});
}

TEST(PlanForBitsPerKey, RoundsUpToWholeBlocks) {
  EXPECT_EQ(PlanForBitsPerKey(256, 1).spec.blocks, 1U);
  EXPECT_EQ(PlanForBitsPerKey(257, 1).spec.blocks, 2U);
  EXPECT_EQ(PlanForBitsPerKey(1, 10'000).spec.blocks, 40U);
  EXPECT_EQ(PlanForBitsPerKey(1, std::numeric_limits<double>::denorm_min()).spec.blocks, 1U);
}

TEST(PlanForBitsPerKey, RefusesWhatIsOutOfRangeByName) {
  const std::vector<std::pair<double, const char*>> cases = {{0, "key 0:"},
                                                             {-1, "key -1:"},
                                                             {std::nan(""), "nan"},
                                                             {10'001, "key 10001:"},
                                                             {HUGE_VAL, "key inf:"}};
  for (const auto& [bits_per_key, text] : cases) {
    const double bits = bits_per_key;
    ExpectNames(RefusalOf<InvalidArgument>([&] { PlanForBitsPerKey(1000, bits); }),
                {text, "10000"});
  }
  ExpectNames(RefusalOf<InvalidArgument>([] { FprAtBitsPerKey(Variant::kSplitBlock, 0); }),
              {"key 0:"});
}

TEST(Specs, NumberOfBlocksIsCheckedBeforeUse) {
  for (const uint64_t blocks : {uint64_t{0}, kMaxBlocks + 1, UINT64_MAX}) {
    const Spec spec{.blocks = blocks};
    const std::string named = std::to_string(blocks) + " blocks";
    ExpectNames(RefusalOf<InvalidArgument>([&] { Validate(spec); }), {named, "4294967295"});
    ExpectNames(RefusalOf<InvalidArgument>([&] { ExpectedFpr(spec, 1); }), {named});
    ExpectNames(RefusalOf<InvalidArgument>([&] { Filter{Plan{.spec = spec}}; }), {named});
  }
}

TEST(Specs, UnknownVariantsAndHashesAreRefusedByName) {
  ExpectNames(RefusalOf<InvalidArgument>([] { Validate({.variant = Variant{77}}); }), {"77"});
  ExpectNames(RefusalOf<InvalidArgument>([] { Validate({.hash = HashScheme{9}}); }), {"9"});
  ExpectNames(RefusalOf<InvalidArgument>([] { VariantFromName("classical"); }),
              {"'classical'", "split_block, split_block_512"});
  for (const Variant variant : AllVariants()) EXPECT_EQ(VariantFromName(NameOf(variant)), variant);
}

// The rule that ExpectedFpr uses, counted out with 16 bits in place of 32: of all hash values every
// block gets q or q + 1, and `more` blocks get the larger number.
TEST(Unevenness, EveryBlockGetsQuotientOrOneMore) {
  constexpr uint32_t kValues = 1 << 16;
  for (const uint32_t blocks : {1U, 2U, 3U, 1000U, 40'000U, 49'152U, 65'535U}) {
    std::vector<uint32_t> values(blocks);
    for (uint32_t hash = 0; hash < kValues; ++hash) ++values[(hash * blocks) >> 16];
    const uint32_t q = kValues / blocks;
    uint32_t more = 0;
    for (const uint32_t count : values) {
      ASSERT_TRUE(count == q || count == q + 1) << blocks;
      more += count == q + 1;
    }
    EXPECT_EQ(more, kValues % blocks) << blocks;
  }
}

// Poisson mixture summed term by term from nothing, slowly.
double PlainFpr(double word_bits, double load) {
  double sum = 0;
  for (int keys = 0; keys < 2000; ++keys) {
    const double weight = std::exp(keys * std::log(load) - load - std::lgamma(keys + 1.0));
    sum += weight * std::pow(1 - std::pow(1 - 1 / word_bits, keys), kBlockWords);
  }
  return sum;
}

TEST(Unevenness, ThreeBlocksForFourValuesAreWorseThanEvenOnes) {
  // With 3 * 2^30 blocks, each three consecutive ones share four hash values: 2, 1 and 1. Half of
  // all keys fall into blocks with twice the load of the others.
  constexpr uint64_t kBlocks = uint64_t{3} << 30;
  constexpr uint64_t kKeys = uint64_t{8} << 32;
  const Spec spec{.blocks = kBlocks};
  const double uneven = (PlainFpr(32, 8) + PlainFpr(32, 16)) / 2;
  EXPECT_NEAR(ExpectedFpr(spec, kKeys) / uneven, 1, 1e-4);
  EXPECT_GT(uneven, 1.3 * PlainFpr(32, 8 * kTwo32 / kBlocks));
}

TEST(Unevenness, DoesNotMatterWhereBlocksAreFewOrDivideEvenly) {
  for (const uint64_t blocks : {uint64_t{1000}, uint64_t{1} << 20, uint64_t{1} << 31}) {
    const double rate = ExpectedFpr({.blocks = blocks}, 20 * blocks);
    EXPECT_NEAR(rate / PlainFpr(32, 20), 1, 1e-5) << blocks;
  }
}

TEST(ExpectedFpr, GrowsWithTheKeysToOneAndNoFurther) {
  for (const Variant variant : AllVariants()) {
    for (const uint64_t blocks : {uint64_t{1}, uint64_t{1000}, kMaxBlocks}) {
      Spec spec = PlanForBytes(64, {.variant = variant}).spec;
      (spec.classic() ? spec.m : spec.blocks) = blocks;
      EXPECT_EQ(ExpectedFpr(spec, 0), 0);
      double before = 0;
      for (int bits = 0; bits < 64; ++bits) {
        const double rate = ExpectedFpr(spec, uint64_t{1} << bits);
        EXPECT_GE(rate, before * (1 - 1e-9)) << blocks << " blocks, 2^" << bits << " keys";
        EXPECT_LE(rate, 1);
        before = rate;
      }
    }
    EXPECT_EQ(ExpectedFpr(PlanForBytes(64'000, {.variant = variant}).spec, UINT64_MAX), 1);
  }
}

TEST(ExpectedFpr, AgreesWithThePlainSumAtEveryLoad) {
  for (const double load : {0.01, 0.5, 1.0, 3.7, 25.6, 100.0, 700.0}) {
    EXPECT_NEAR(FprAtBitsPerKey(Variant::kSplitBlock, 256 / load) / PlainFpr(32, load), 1, 1e-9);
    EXPECT_NEAR(FprAtBitsPerKey(Variant::kSplitBlock512, 512 / load) / PlainFpr(64, load), 1, 1e-9);
  }
}

TEST(BitsPerKeyFor, InvertsTheRate) {
  for (const Variant variant : AllVariants()) {
    for (const double fpr : {0.9999, 0.5, 0.1, 0.01, 1e-4, 1e-9, 1e-15}) {
      const double bits = BitsPerKeyFor(variant, fpr);
      EXPECT_NEAR(FprAtBitsPerKey(variant, bits) / fpr, 1, 1e-6);
    }
  }
}

}  // namespace
}  // namespace tamis
