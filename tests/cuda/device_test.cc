// What of the cuda backend runs without a device: why there is none, in words; how batches are cut
// into chunks; which way of inserting is chosen. And that a program with CUDA in it, on a machine
// without a driver, refuses in good order.

#include "cuda/device.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "cuda/kernels.h"
#include "cuda/staging.h"
#include "samples.h"
#include "tamis/cuda/device_filter.h"
#include "tamis/engine.h"

namespace tamis::gpu {
namespace {

TEST(Presence, EveryWayOfHavingNoDeviceIsSaidInWords) {
  EXPECT_EQ(ReasonOf(cudaSuccess, 1, 13'000), "");
  EXPECT_EQ(ReasonOf(cudaErrorInsufficientDriver, 0, 0), "no NVIDIA driver");
  ExpectNames(ReasonOf(cudaErrorInsufficientDriver, 0, 11'040), {"too old", "CUDA 11.4"});
  ExpectNames(ReasonOf(cudaErrorStubLibrary, 0, 0), {"stub"});
  ExpectNames(ReasonOf(cudaErrorNoDevice, 0, 13'000), {"no NVIDIA device", "driver"});
  ExpectNames(ReasonOf(cudaSuccess, 0, 13'000), {"no NVIDIA device", "driver"});
  ExpectNames(ReasonOf(cudaErrorSystemNotReady, 0, 13'000), {"fails"});
}

TEST(Presence, DevicesOlderThanTheMachineCodeAreRefused) {
  EXPECT_EQ(ReasonAgainst("A100", 8, 0), "");
  EXPECT_EQ(ReasonAgainst("B200", 10, 0), "");
  ExpectNames(ReasonAgainst("Tesla T4", 7, 5), {"Tesla T4", "7.5", "8.0"});
}

TEST(Presence, WithoutADeviceNothingIsMadeAndEverythingSaysWhy) {
  const std::string& reason = WhyNoDevice();
  if (reason.empty()) GTEST_SKIP() << "there is a device";
  EXPECT_EQ(RefusalOf<DeviceError>([] { CurrentDevice(); }), reason);
  EXPECT_EQ(RefusalOf<DeviceError>([] { DeviceFilter(PlanFor(1000, 0.01)); }), reason);
  const Filter filter(PlanFor(1000, 0.01));
  EXPECT_EQ(RefusalOf<DeviceError>([&] { DeviceFilter{filter}; }), reason);
  const std::string pinned = RefusalOf<DeviceError>([] { Engine({.backend = "cuda"}); });
  EXPECT_EQ(pinned, "backend cuda: " + reason);
  EXPECT_FALSE(OnDevice(filter.bytes().data()));
  EXPECT_FALSE(IsPinned(filter.bytes().data()));
}

TEST(Chunks, AreWholeWordsOfAnswersAndFitASlot) {
  const std::vector<uint64_t> keys(1'000);
  bool fits = false;
  EXPECT_EQ(ChunkOf(Keys::U64(keys), 0, 640, &fits), 640U);
  EXPECT_EQ(ChunkOf(Keys::U64(keys), 640, 640, &fits), 360U);
  EXPECT_TRUE(fits);
}

TEST(Chunks, OfLongStringsHaveFewerKeys) {
  // Offsets alone decide: 1000 strings of 1 MiB, which nobody reads here.
  std::vector<uint64_t> offsets(1'001);
  for (uint64_t i = 0; i < offsets.size(); ++i) offsets[i] = 7 + (i << 20);
  const Keys keys = Keys::Strings(offsets, nullptr);
  bool fits = true;
  uint64_t count = ChunkOf(keys, 0, 1'024, &fits);
  EXPECT_EQ(count, 64U);  // more than a slot, so they are hashed where they are
  EXPECT_FALSE(fits);
  for (uint64_t i = 0; i < offsets.size(); ++i) offsets[i] = i << 12;
  count = ChunkOf(keys, 0, 1'024, &fits);
  EXPECT_EQ(count, 1'000U);
  EXPECT_TRUE(fits);
}

TEST(Chunks, C1_OneStringLargerThanASlotIsAChunkToo) {
  const std::vector<uint64_t> offsets = {0, uint64_t{1} << 30, (uint64_t{1} << 30) + 5};
  bool fits = true;
  EXPECT_EQ(ChunkOf(Keys::Strings(offsets, nullptr), 0, 64, &fits), 2U);
  EXPECT_FALSE(fits);
}

Spec ClassicSpec(uint64_t m, int k) {
  return {.variant = Variant::kClassic, .m = m, .k = k, .probe = ProbeScheme::kEnhancedDouble};
}

TEST(Layouts, AllRunUpToAClassicFilterWhosePositionsLeaveNoBitsForKeys) {
  for (const Variant variant : AllVariants()) EXPECT_TRUE(Runs({.variant = variant}));
  EXPECT_TRUE(Runs(ClassicSpec(kMostBits, 7)));
  EXPECT_FALSE(Runs(ClassicSpec(kMostBits + 1, 7)));
}

TEST(Chunks, OfInsertNewHoldTheirScratchWithinBounds) {
  EXPECT_EQ(InsertNewChunk(Spec{}), uint64_t{1} << 25);
  for (const int k : {1, 7, 64}) {
    for (const uint64_t m : {uint64_t{1}, uint64_t{1} << 33, uint64_t{1} << 41, kMostBits}) {
      const Spec spec = ClassicSpec(m, k);
      const uint64_t chunk = InsertNewChunk(spec);
      EXPECT_EQ(chunk % 64, 0U);
      EXPECT_GE(chunk, m == kMostBits ? 1U << 15 : 1U << 20);
      // Keys have numbers in what positions leave of 64 bits, and scratch is a gigabyte or so.
      EXPECT_LE(chunk, uint64_t{1} << (64 - std::bit_width(m)));
      EXPECT_LE(chunk * static_cast<unsigned>(k) * 16, uint64_t{1} << 30);
    }
  }
}

TEST(InsertWays, AreChosenByTheSizesOfFilterCacheAndBatch) {
  const Device device{.name = "like an H200",
                      .multiprocessors = 132,
                      .l2_bytes = uint64_t{50} << 20,
                      .memory_bytes = uint64_t{140} << 30};
  EXPECT_EQ(InsertWayFor(device, Spec{.blocks = 100'000}, 1 << 24), InsertWay::kBlind);
  EXPECT_EQ(InsertWayFor(device, Spec{.blocks = 100'000'000}, 1 << 24), InsertWay::kLookFirst);
  EXPECT_EQ(InsertWayFor(device, Spec{.blocks = 4'000'000}, 1 << 24), InsertWay::kPartition);
  EXPECT_EQ(InsertWayFor(device, Spec{.blocks = 4'000'000}, 1'000), InsertWay::kLookFirst);
  const Spec registers{.variant = Variant::kRegisterBlocked, .blocks = 16'000'000, .k = 4};
  EXPECT_EQ(InsertWayFor(device, registers, 1 << 24), InsertWay::kPartition);
  EXPECT_EQ(InsertWayFor(device, ClassicSpec(uint64_t{1} << 20, 7), 1 << 24), InsertWay::kBlind);
  EXPECT_EQ(InsertWayFor(device, ClassicSpec(uint64_t{1} << 33, 7), 1 << 24),
            InsertWay::kLookFirst);
}

}  // namespace
}  // namespace tamis::gpu
