// Sizes and rates: the rows S1 to S16, S18 and S19 of the cases, as far as they are arithmetic.
// Nothing here allocates a large filter.

#include "tamis/sizing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "samples.h"
#include "tamis/bits.h"
#include "tamis/engine.h"

namespace tamis {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

void ExpectClassic(uint64_t keys, double fpr, uint64_t bits, int hashes) {
  const ClassicSize size = ClassicSizeFor(keys, fpr);
  EXPECT_EQ(size.bits, bits) << keys << " keys at " << fpr;
  EXPECT_EQ(size.hashes, hashes) << keys << " keys at " << fpr;
  const Plan plan = PlanFor(keys, fpr, {.variant = Variant::kClassic});
  EXPECT_EQ(plan.spec.m, bits);
  EXPECT_EQ(plan.spec.bits(), bits);
  EXPECT_EQ(plan.spec.k, hashes);
  EXPECT_EQ(plan.capacity, keys);
  EXPECT_EQ(plan.fpr, fpr);
  EXPECT_NEAR(ExpectedFpr(plan.spec, keys) / fpr, 1, 0.01) << keys << " keys at " << fpr;
}

// The plan keeps its promise, and one block less would not. A classic plan has the textbook's size.
void ExpectSmallest(uint64_t keys, double fpr, const PlanOptions& options = {}) {
  const Plan plan = PlanFor(keys, fpr, options);
  EXPECT_EQ(plan.capacity, keys);
  EXPECT_EQ(plan.fpr, fpr);
  if (plan.spec.classic()) {
    EXPECT_EQ(plan.spec.m, ClassicSizeFor(keys, fpr).bits);
    return;
  }
  EXPECT_LE(ExpectedFpr(plan.spec, keys), fpr);
  if (plan.spec.blocks == 1) return;
  Spec smaller = plan.spec;
  --smaller.blocks;
  EXPECT_GT(ExpectedFpr(smaller, keys), fpr) << keys << " keys at " << fpr;
}

TEST(SizingCases, S1_ClassicThousandKeys) { ExpectClassic(1000, 0.01, 9586, 7); }

TEST(SizingCases, S2_ClassicMillionKeys) {
  ExpectClassic(1'000'000, 0.01, 9'585'059, 7);
  ExpectClassic(1'000'000, 0.001, 14'377'588, 10);
}

TEST(SizingCases, S3_ClassicTenMillionKeys) { ExpectClassic(10'000'000, 0.001, 143'775'876, 10); }

TEST(SizingCases, S4_TenBillionKeysArePlannedExactlyAndStoppedByAMemoryLimitOnly) {
  ExpectClassic(10'000'000'000, 1e-4, 191'701'167'548, 13);
  ExpectSmallest(10'000'000'000, 1e-4);
  ExpectSmallest(10'000'000'000, 1e-4, {.variant = Variant::kSplitBlock512});
  const Plan plan = PlanFor(10'000'000'000, 1e-4);
  // 26.34 bits a key, and some more since a billion blocks share 2^32 hash values unevenly.
  EXPECT_NEAR(static_cast<double>(plan.spec.bits()) / 1e10, 26.9, 0.1);
  const std::string message =
      RefusalOf<MemoryError>([&] { Filter(plan, HugePages::kNever, uint64_t{1} << 30); });
  ExpectNames(message, {std::to_string(plan.spec.bytes()), "1073741824"});
}

TEST(SizingCases, S5_PositionsReachPast2To38Bits) {
  ExpectClassic(10'000'000'000, 1e-7, 335'477'043'208, 23);
  const Spec spec = PlanFor(10'000'000'000, 1e-7).spec;
  const Place last = Locate(UINT64_MAX, static_cast<uint32_t>(spec.blocks));
  EXPECT_EQ(last.block, spec.blocks - 1);
  EXPECT_GT(last.block * spec.block_bytes() * 8, uint64_t{1} << 38);
}

TEST(SizingCases, S7_SixtyFourBitsOfHashReachOneInAMillionAt478MillionKeys) {
  constexpr uint64_t kKeys = 478'361'140;
  const ClassicSize size = ClassicSizeFor(kKeys, 1e-6);
  EXPECT_EQ(size.hashes, 20);
  EXPECT_NEAR(ClassicFpr(kKeys, size.bits, size.hashes), 1e-6, 1e-9);
  ExpectSmallest(kKeys, 1e-6);
  ExpectSmallest(kKeys, 1e-6, {.variant = Variant::kSplitBlock512});
}

TEST(SizingCases, S8_FiveBillionKeysAreAccepted) {
  ExpectClassic(5'000'000'000, 0.01, 47'925'291'887, 7);
  ExpectSmallest(5'000'000'000, 0.01);
}

TEST(SizingCases, S9_TooManyKeysAreRefusedWithBytesNeededAndLimit) {
  constexpr uint64_t kKeys = 1'000'000'000'000'000'000;
  ExpectNames(RefusalOf<InvalidArgument>([] { PlanFor(kKeys, 0.01); }),
              {"1000000000000000000 keys", "1.31615e+18 bytes needed", "137438953440 bytes"});
  ExpectNames(RefusalOf<InvalidArgument>(
                  [] { PlanFor(kKeys, 0.01, {.variant = Variant::kSplitBlock512}); }),
              {"1000000000000000000 keys", "bytes needed", "274877906880 bytes"});
  ExpectNames(RefusalOf<InvalidArgument>([] { PlanForBitsPerKey(kKeys, 8); }),
              {"1e+18 keys", "1e+18 bytes", "137438953440 bytes"});
  ExpectNames(RefusalOf<InvalidArgument>([] { ClassicSizeFor(UINT64_MAX, 1e-300); }),
              {"1.84467e+19 keys", "bytes", "2^60"});
}

TEST(SizingCases, S10_MoreThanTheMemoryIsAnErrorWithBothFigures) {
  const Plan plan = PlanFor(100'000'000'000, 0.001, {.variant = Variant::kSplitBlock512});
  EXPECT_GT(plan.spec.bytes(), uint64_t{180} << 30);
  constexpr uint64_t kLimit = uint64_t{8} << 30;
  ExpectNames(RefusalOf<MemoryError>([&] { Filter(plan, HugePages::kTry, kLimit); }),
              {std::to_string(plan.spec.bytes()), std::to_string(kLimit)});
  if (plan.spec.bytes() > MemoryLimit()) {
    ExpectNames(RefusalOf<MemoryError>([&] { Filter{plan}; }),
                {std::to_string(plan.spec.bytes()), std::to_string(MemoryLimit())});
  }
  // split_block stops at 2^32 blocks before any memory is asked for.
  ExpectNames(RefusalOf<InvalidArgument>([] { PlanFor(100'000'000'000, 0.001); }),
              {"100000000000 keys", "2.11123e+11 bytes needed", "137438953440 bytes"});
}

TEST(SizingCases, S10_SizesNearTheEndOfTheNumbersAreRefused) {
  for (const uint64_t bytes : {UINT64_MAX, UINT64_MAX - 4096, uint64_t{1} << 63}) {
    ExpectNames(
        RefusalOf<MemoryError>([&] { Storage::Zeroed(bytes, HugePages::kTry, UINT64_MAX); }),
        {std::to_string(bytes)});
  }
}

TEST(SizingCases, S11_NoKeysMakeAUsableEmptyFilterOfEveryVariant) {
  Engine engine;
  const std::vector<uint64_t> keys = DistinctKeys(1000, 1);
  for (const Variant variant : AllVariants()) {
    for (const Plan& plan :
         {PlanFor(0, 0.01, {.variant = variant}), PlanForBitsPerKey(0, 10, {.variant = variant})}) {
      EXPECT_EQ(plan.spec.blocks, 1U);
      EXPECT_LE(plan.spec.bits(), 512U);
      EXPECT_EQ(plan.capacity, 1U);
      Filter filter(plan);
      EXPECT_EQ(filter.ExpectedFpr(), 0);
      EXPECT_EQ(filter.ObservedFpr(), 0);
      EXPECT_EQ(engine.Contains(filter, Keys::U64(keys)), 0U);
      EXPECT_TRUE(engine.InsertOne(filter, keys[0]));
      EXPECT_TRUE(engine.ContainsOne(filter, keys[0]));
    }
  }
  const ClassicSize classic = ClassicSizeFor(0, 0.01);
  EXPECT_EQ(classic.bits, ClassicSizeFor(1, 0.01).bits);
  EXPECT_EQ(classic.hashes, 7);
  EXPECT_EQ(ClassicFpr(0, classic.bits, classic.hashes), 0);
}

TEST(SizingCases, S12_OneKey) {
  for (const double fpr : {0.999999, 0.5, 0.01, 1e-6, 1e-12}) {
    for (const Variant variant : AllVariants()) {
      ExpectSmallest(1, fpr, {.variant = variant});
      EXPECT_GE(PlanFor(1, fpr, {.variant = variant}).spec.blocks, 1U);
    }
    EXPECT_GE(ClassicSizeFor(1, fpr).bits, 1U);
    EXPECT_GE(ClassicSizeFor(1, fpr).hashes, 1);
    EXPECT_LE(ClassicSizeFor(1, fpr).hashes, 40);
  }
}

TEST(SizingCases, S13_RatesOutOfRangeAreRefusedByName) {
  const std::vector<std::pair<double, std::string>> cases = {
      {2, "rate 2:"}, {0, "rate 0:"},          {1, "rate 1:"},       {-1, "rate -1:"},
      {kNan, "nan"},  {kInfinity, "rate inf"}, {1000, "rate 1000:"},  // (n=0.01, p=1000), swapped
  };
  for (const auto& [fpr, text] : cases) {
    const double p = fpr;
    ExpectNames(RefusalOf<InvalidArgument>([&] { PlanFor(1000, p); }), {text});
    ExpectNames(RefusalOf<InvalidArgument>([&] { PlanFor(0, p); }), {text});
    ExpectNames(RefusalOf<InvalidArgument>([&] { ClassicSizeFor(1000, p); }), {text});
    ExpectNames(RefusalOf<InvalidArgument>([&] { BitsPerKeyFor(Variant::kSplitBlock, p); }),
                {text});
    ExpectNames(RefusalOf<InvalidArgument>([&] { ScalableFilter(1000, p); }), {text});
  }
}

TEST(SizingCases, S13_HashesAreBounded) {
  EXPECT_EQ(PlanFor(1000, 1e-9).spec.k, 8);
  EXPECT_LE(ClassicSizeFor(1, std::numeric_limits<double>::denorm_min()).hashes, 1075);
  EXPECT_EQ(ClassicSizeFor(1'000'000, 0.99).hashes, 1);
  ExpectNames(RefusalOf<InvalidArgument>([] { ClassicFpr(1, 0, 7); }), {"0 bits", "7 hashes"});
  ExpectNames(RefusalOf<InvalidArgument>([] { ClassicFpr(1, 100, 0); }), {"100 bits", "0 hashes"});
}

TEST(SizingCases, S14_RatesBelowTheFloorOfTheHashAreRefused) {
  const auto expect_refused = [](const PlanOptions& options) {
    ExpectNames(RefusalOf<InvalidArgument>([&] { PlanFor(500'000'000, 1e-12, options); }),
                {"1e-12", "500000000 keys", "64-bit hash", "2.71051e-11"});
  };
  for (const Variant variant : AllVariants()) {
    if (variant != Variant::kClassic) expect_refused({.variant = variant});
  }
  // A classic filter takes 128 bits of hash, from schemes that have so many.
  expect_refused({.variant = Variant::kClassic, .hash = HashScheme::kFnv1a64});
  expect_refused({.variant = Variant::kClassic, .hash = HashScheme::kPrehashed});
  ExpectClassic(500'000'000, 1e-12, 28'755'175'133, 40);
  // Just above the floor, and still out of reach.
  ExpectNames(RefusalOf<InvalidArgument>([] { PlanFor(500'000'000, 2.8e-11); }),
              {"2.8e-11", "gives 2.98393e-11"});
  EXPECT_GT(ExpectedFpr({.blocks = kMaxBlocks}, 500'000'000), 2.71e-11);
  ExpectSmallest(500'000'000, 3e-11);
}

TEST(SizingCases, S15_SplitBlockRatesByBitsPerKey) {
  const std::vector<std::pair<double, double>> percent = {
      {6, 9.934},     {8, 3.321},   {10, 1.265},     {10.5, 1.013},  {16, 0.1316},
      {16.9, 0.0997}, {20, 0.0420}, {26.4, 0.00988}, {41, 0.000998},
  };
  for (const auto& [bits_per_key, right] : percent) {
    const double rate = 100 * FprAtBitsPerKey(Variant::kSplitBlock, bits_per_key);
    EXPECT_NEAR(rate / right, 1, 0.0012) << bits_per_key;
    // A real filter of that size says the same, but for the floor of 1.5e-9.
    const Plan plan = PlanForBitsPerKey(10'000'000, bits_per_key);
    EXPECT_NEAR(100 * plan.fpr / rate, 1, 2e-4) << bits_per_key;
  }
}

TEST(SizingCases, S15_SplitBlock512IsLowerThroughout) {
  EXPECT_NEAR(100 * FprAtBitsPerKey(Variant::kSplitBlock512, 10), 1.05, 0.005);
  for (int bits = 2; bits < 60; ++bits) {
    EXPECT_LT(FprAtBitsPerKey(Variant::kSplitBlock512, bits),
              FprAtBitsPerKey(Variant::kSplitBlock, bits));
  }
}

TEST(SizingCases, S16_SplitBlockBitsPerKeyByRate) {
  const std::vector<std::pair<double, double>> right = {
      {0.1, 5.9885}, {0.01, 10.5292}, {0.001, 16.8898}, {1e-4, 26.3416}};
  for (const auto& [fpr, bits_per_key] : right) {
    EXPECT_NEAR(BitsPerKeyFor(Variant::kSplitBlock, fpr), bits_per_key, 1e-4) << fpr;
    const Plan plan = PlanFor(1'000'000, fpr);
    EXPECT_NEAR(static_cast<double>(plan.spec.bits()) / 1e6, bits_per_key, 4e-4) << fpr;
  }
}

TEST(SizingCases, S18_ClassicAtTwiceItsPlan) {
  const ClassicSize size = ClassicSizeFor(1'000'000, 0.01);
  EXPECT_NEAR(ClassicFpr(2'000'000, size.bits, size.hashes), 0.157, 0.0005);
}

TEST(SizingCases, S19_ClassicGivenMoreThanItsPlan) {
  ExpectClassic(613'584'246, 1e-8, 23'524'963'270, 27);
  EXPECT_NEAR(ClassicFpr(847'223'402, 23'524'963'270, 27), 2.68e-6, 0.01e-6);
}

}  // namespace
}  // namespace tamis
