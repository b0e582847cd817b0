// What the GPU's kernels do, done on the host by the same functions and held to the scalar backend:
// the functions of one key over whole batches, and the bodies of kernels by lanes that are threads
// (host_lanes.h). No GPU and no toolkit are needed.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "cuda/contains.cuh"
#include "cuda/insert.cuh"
#include "cuda/partition.cuh"
#include "host_lanes.h"
#include "samples.h"
#include "tamis/cuda/device_keys.h"
#include "tamis/cuda/device_view.cuh"
#include "tamis/engine.h"

namespace tamis::gpu {
namespace {

template <typename V>
DeviceView<V> ViewOf(Filter& filter) {
  return {.blocks = reinterpret_cast<typename DeviceView<V>::Block*>(filter.mutable_data()),
          .count = static_cast<uint32_t>(filter.spec().blocks),
          .seed = filter.spec().seed,
          .k = filter.spec().k};
}

std::vector<bool> Bits(const uint8_t* answers, uint64_t n) {
  std::vector<bool> bits(n);
  for (uint64_t i = 0; i < n; ++i) bits[i] = AnswerAt(answers, i);
  return bits;
}

template <typename V>
class OnHost : public testing::Test {
 protected:
  static Filter NewFilter(uint64_t keys, uint64_t seed = 0) {
    return Filter(
        PlanForBitsPerKey(keys, 10, {.variant = static_cast<Variant>(V::kId), .seed = seed}));
  }
  Filter Inserted(uint64_t size, const Keys& keys) {
    Filter filter = NewFilter(size);
    scalar_.Insert(filter, keys);
    return filter;
  }
  std::vector<bool> Contained(const Filter& filter, const Keys& keys) {
    std::vector<uint8_t> answers(AnswerBytes(keys.size()) + 1);
    scalar_.Contains(filter, keys, answers);
    return Bits(answers.data(), keys.size());
  }

  Engine scalar_{{.backend = "scalar"}};
};

struct VariantNames {
  template <typename V>
  static std::string GetName(int /*index*/) {
    return std::string(V::kName);
  }
};

using Variants = testing::Types<SplitBlock, SplitBlock512, CacheLine, RegisterBlocked>;
TYPED_TEST_SUITE(OnHost, Variants, VariantNames);

TYPED_TEST(OnHost, AViewAnswersAndInsertsAsTheScalarBackendDoes) {
  const std::vector<uint64_t> keys = DistinctKeys(20'000, 1);
  Filter filter = TestFixture::NewFilter(10'000, 77);
  Filter reference = TestFixture::NewFilter(10'000, 77);
  this->scalar_.Insert(reference, Keys::U64(keys).Slice(0, 10'000));
  const DeviceView<TypeParam> view = ViewOf<TypeParam>(filter);
  for (uint64_t i = 0; i < 10'000; ++i) view.InsertKey(keys[i]);
  EXPECT_EQ(BytesOf(filter), BytesOf(reference));
  const std::vector<bool> expected = this->Contained(reference, Keys::U64(keys));
  for (uint64_t i = 0; i < keys.size(); ++i) ASSERT_EQ(view.ContainsKey(keys[i]), expected[i]) << i;
}

TYPED_TEST(OnHost, EveryKOfABlockSetsAndFindsTheSameBits) {
  for (int k = TypeParam::kMinK; k <= TypeParam::kMaxK; ++k) {
    const Plan plan = PlanForBitsPerKey(
        300, 10,
        {.variant = static_cast<Variant>(TypeParam::kId), .k = TypeParam::kMinK == 8 ? 0 : k});
    Filter filter(plan);
    Filter walked(plan);
    Filter reference(plan);
    const std::vector<uint64_t> keys = DistinctKeys(600, static_cast<uint64_t>(k));
    const DeviceView<TypeParam> view = ViewOf<TypeParam>(filter);
    const DeviceView<TypeParam> walk = ViewOf<TypeParam>(walked);
    for (uint64_t i = 0; i < 300; ++i) {
      view.InsertKey(keys[i]);
      const Place at = Locate(Xxh64(keys[i], 0), walk.count);
      EXPECT_EQ(MarkBlock<TypeParam>(walk.blocks[at.block].words, at.low, k),
                this->scalar_.InsertOne(reference, keys[i]));
    }
    EXPECT_EQ(BytesOf(filter), BytesOf(reference)) << k;
    EXPECT_EQ(BytesOf(walked), BytesOf(reference)) << k;
    for (const uint64_t key : keys) {
      ASSERT_EQ(view.ContainsKey(key), this->scalar_.ContainsOne(reference, key)) << k;
    }
  }
}

TYPED_TEST(OnHost, B6_AWarpsLookUpsAnswerBatchesOfEverySize) {
  const std::vector<uint64_t> keys = DistinctKeys(1'025, 2);
  Filter filter = this->Inserted(1'000, Keys::U64(keys).Slice(0, 600));
  const DeviceView<TypeParam> view = ViewOf<TypeParam>(filter);
  for (const uint64_t n : {1, 7, 31, 32, 33, 64, 65, 127, 129, 300}) {
    const WordKeys words{.items = keys.data(), .seed = 0, .hashed = false};
    std::vector<uint32_t> answers(n / 32 + 2, 0xa5a5a5a5);
    std::atomic<uint64_t> present = 0;
    HostGroup group(kWarp);
    group.Run([&](uint32_t lane) {
      const HostWarp warp(group, lane);
      for (uint64_t first = 0; first < n; first += kContainsTile<DeviceView<TypeParam>>) {
        const uint32_t found = ContainsTile(warp, view, words, first, n, answers.data());
        if (lane == 0) present += found;
      }
    });
    const std::vector<bool> expected = this->Contained(filter, Keys::U64(keys).Slice(0, n));
    const auto* bytes = reinterpret_cast<const uint8_t*>(answers.data());
    EXPECT_EQ(Bits(bytes, n), expected) << n;
    EXPECT_EQ(present, std::ranges::count(expected, true)) << n;
    for (uint64_t i = n; i < 32 * answers.size(); ++i) {
      ASSERT_EQ(AnswerAt(bytes, i), (0xa5a5a5a5 >> i % 32 & 1) != 0) << n << " keys, bit " << i;
    }
  }
}

TYPED_TEST(OnHost, AWarpsInsertsSetTheSameBits) {
  const std::vector<uint64_t> keys = RepeatingKeys(100, 60, 3);
  std::vector<uint64_t> hashes(keys.size());
  this->scalar_.Hash(Spec{}, Keys::U64(keys), hashes);
  for (const uint64_t n : {1, 33, 100}) {
    const Filter reference = this->Inserted(30, Keys::U64(keys).Slice(0, n));
    const bool hashed = n == 33;
    const WordKeys words{
        .items = hashed ? hashes.data() : keys.data(), .seed = 0, .hashed = hashed};
    Filter blind = TestFixture::NewFilter(30);
    Filter looking = TestFixture::NewFilter(30);
    HostGroup group(kWarp);
    group.Run([&](uint32_t lane) {
      const HostWarp warp(group, lane);
      for (uint64_t first = 0; first < n; first += kInsertTile) {
        InsertTile<false>(warp, ViewOf<TypeParam>(blind), words, first, n);
        InsertTile<true>(warp, ViewOf<TypeParam>(looking), words, first, n);
      }
    });
    EXPECT_EQ(BytesOf(blind), BytesOf(reference)) << n;
    EXPECT_EQ(BytesOf(looking), BytesOf(reference)) << n;
  }
}

// The partitions of a filter, each by a block of `lanes` threads.
template <typename V>
void InsertByPartitions(Filter& filter, const std::vector<uint64_t>& keys, uint32_t lanes) {
  const DeviceView<V> view = ViewOf<V>(filter);
  const PlaceOf place_of{{.items = keys.data(), .seed = 0, .hashed = false}, view.count};
  std::vector<uint64_t> places(keys.size());
  for (uint64_t i = 0; i < keys.size(); ++i) places[i] = place_of(i);
  constexpr int kShift = kPartitionShift<V>;
  std::ranges::stable_sort(places, {}, [](uint64_t place) { return BlockOf(place) >> kShift; });
  std::vector<uint32_t> shared(kPartitionBytes / sizeof(uint32_t));
  const uint64_t partitions = ((view.count - 1) >> kShift) + 1;
  HostGroup group(lanes);
  group.Run([&](uint32_t lane) {
    for (uint64_t partition = 0; partition < partitions; ++partition) {
      group.Meet();  // the next thread block, with shared memory of its own
      InsertPartition(HostBlock(group, lane), view, places.data(), places.size(), partition,
                      shared.data());
    }
  });
}

TYPED_TEST(OnHost, InsertingByPartitionsSetsTheSameBits) {
  for (const uint64_t size : {100, 2'000, 77'777}) {  // one partition, part of one, several
    const std::vector<uint64_t> keys = RepeatingKeys(5'000, 4'000, 4);
    const Filter reference = this->Inserted(size, Keys::U64(keys));
    Filter filter = TestFixture::NewFilter(size);
    InsertByPartitions<TypeParam>(filter, keys, 8);
    EXPECT_EQ(BytesOf(filter), BytesOf(reference)) << size;
  }
}

TYPED_TEST(OnHost, B5_InsertingOneKeyOverAndOverByPartitions) {
  const std::vector<uint64_t> keys(3'000, 42);
  const Filter reference = this->Inserted(50'000, Keys::U64(keys));
  Filter filter = TestFixture::NewFilter(50'000);
  InsertByPartitions<TypeParam>(filter, keys, 8);
  EXPECT_EQ(BytesOf(filter), BytesOf(reference));
}

TEST(Partitions, AreFoundAmongSortedPlaces) {
  std::vector<uint64_t> places;
  for (const uint64_t block : {0, 1, 5, 1023, 1024, 1024, 5000}) places.push_back(block << 32 | 7);
  const auto first = [&](uint64_t partition) {
    return FirstOfPartition(places.data(), places.size(), partition, 10);
  };
  EXPECT_EQ(first(0), 0U);
  EXPECT_EQ(first(1), 4U);
  EXPECT_EQ(first(2), 6U);
  EXPECT_EQ(first(4), 6U);
  EXPECT_EQ(first(5), 7U);
  EXPECT_EQ(FirstOfPartition(places.data(), 0, 0, 10), 0U);
}

}  // namespace
}  // namespace tamis::gpu
