// Hash and probe schemes as the GPU's kernels run them, on the host: hashes of every kind of key by
// every scheme, and classic filters by every probe scheme, held to the scalar backend.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <string>
#include <vector>

#include "cuda/contains.cuh"
#include "cuda/hash_keys.cuh"
#include "cuda/insert.cuh"
#include "host_lanes.h"
#include "samples.h"
#include "tamis/engine.h"
#include "tamis/schemes.h"

namespace tamis::gpu {
namespace {

// A Spec of this hash scheme that takes so many words.
template <class H>
Spec SpecOf(int words) {
  Spec spec{.hash = static_cast<HashScheme>(H::kId), .seed = H::kSeeded ? 99U : 0U};
  if (H::kKeyed) spec.secret = {{123, 456}};
  if (words == 1) return spec;
  spec.variant = Variant::kClassic;
  spec.m = 1'000;
  spec.k = 7;
  spec.probe = words == 2 ? ProbeScheme::kEnhancedDouble : ProbeScheme::kBitsAndBlooms;
  return spec;
}

// Keys as the device reads them: by aligned words, at any address and of any length.
class DeviceHashes : public testing::Test {
 protected:
  DeviceHashes() : bytes_(8'192, '\0') {
    std::mt19937_64 random(5);
    std::generate(bytes_.begin(), bytes_.end(), [&] { return static_cast<char>(random()); });
  }

  // By every scheme, and as many words as it has. XXH3 of strings is the host's.
  void ExpectHashes(const Keys& keys) {
    HashSchemes::ForEach([&]<class H>(H) {
      if (!HashesOnDevice(static_cast<HashScheme>(H::kId), DeviceKeys::Of(keys))) {
        EXPECT_EQ(H::kName, "xxh3");
        return;
      }
      if (H::kId == PrehashedHash::kId && keys.width() != 8 && keys.width() != 16) return;
      for (int words = 1; words <= H::kWords; words *= 2) {
        const Spec spec = SpecOf<H>(words);
        std::vector<uint64_t> expected(keys.size() * static_cast<unsigned>(words));
        scalar_.Hash(spec, keys, expected);
        std::vector<uint64_t> hashes(expected.size());
        const HashKeys work{DeviceKeys::Of(keys), spec.hash, spec.hash_seed(), words,
                            hashes.data()};
        for (uint64_t i = 0; i < keys.size(); ++i) work(i);
        ASSERT_EQ(hashes, expected) << H::kName << ", " << words << " words";
      }
    });
  }

  std::string bytes_;  // of keys with high bits set, too (F13)
  Engine scalar_{{.backend = "scalar"}};
};

TEST_F(DeviceHashes, OfFixedKeysAtAnyAddress) {
  for (uint32_t width = 1; width <= 70; ++width) {
    for (const size_t start : {0, 1, 2, 3, 5}) {
      const std::span<const char> whole(bytes_.data() + start, size_t{10} * width);
      ExpectHashes(Keys::Fixed(std::as_bytes(whole), width));
    }
  }
}

TEST_F(DeviceHashes, OfStringsByEitherKindOfOffsetsWithAGapOrWithout) {
  for (const uint32_t gap : {0, 1}) {
    std::vector<uint32_t> offsets = {3};
    for (uint32_t length = 0; offsets.back() + length + gap < 8'000; ++length) {
      offsets.push_back(offsets.back() + length + gap);
    }
    const std::vector<uint64_t> wide(offsets.begin(), offsets.end());
    ExpectHashes(Keys::Strings(offsets, bytes_.data(), gap));
    ExpectHashes(Keys::Strings(wide, bytes_.data(), gap));
  }
}

TEST_F(DeviceHashes, OfIntegers) { ExpectHashes(Keys::U64(DistinctKeys(1'000, 6))); }

TEST_F(DeviceHashes, AreTheHostsWhereTheDeviceHasNoCodeForThem) {
  const std::string_view view = "scattered";
  const DeviceKeys views = DeviceKeys::Of(Keys::Views({&view, 1}));
  EXPECT_FALSE(HashesOnDevice(HashScheme::kXxh64, views));
  const std::vector<uint64_t> words(4);
  const Keys strings = Keys::Fixed(std::as_bytes(std::span(words)), 16);
  EXPECT_FALSE(HashesOnDevice(HashScheme::kXxh3, DeviceKeys::Of(strings)));
  EXPECT_TRUE(HashesOnDevice(HashScheme::kXxh3, DeviceKeys::Of(Keys::U64(words))));
  EXPECT_TRUE(HashesOnDevice(HashScheme::kXxh3, DeviceKeys::Of(Keys::Hashes(words, 2))));
}

TEST_F(DeviceHashes, InAKernelAreMadeFromIntegersOrReady) {
  const std::vector<uint64_t> keys = DistinctKeys(1'000, 6);
  const WordKeys integers{.items = keys.data(), .seed = 99, .hashed = false};
  const WordKeys hashes{.items = keys.data(), .seed = 99, .hashed = true, .words = 2};
  for (uint64_t i = 0; i < keys.size() / 2; ++i) {
    ASSERT_EQ(integers.HashAt(i), Xxh64(keys[i], 99));
    ASSERT_EQ(hashes.WordsAt(i)[1], keys[2 * i + 1]);
  }
}

// Calls f(probe's type, a Spec with it and any hash scheme that gives it enough words).
template <typename F>
void ForEveryProbe(uint64_t m, int k, F&& f) {
  ProbeSchemes::ForEach([&]<class P>(P) {
    f(Spec{.variant = Variant::kClassic,
           .hash = P::kWords == 4 ? HashScheme::kBitsAndBlooms : HashScheme::kXxh64,
           .m = m,
           .k = k,
           .probe = static_cast<ProbeScheme>(P::kId)});
  });
}

TEST(ClassicOnHost, PositionsAreThoseOfTheDefinitionAtEverySize) {
  const uint64_t past32 = (uint64_t{1} << 32) + 12'345;
  for (const uint64_t m :
       {uint64_t{1}, uint64_t{64}, uint64_t{10'007}, past32, uint64_t{1} << 38, kMaxClassicBits}) {
    for (const int k : {1, 7, 64}) {
      ForEveryProbe(m, k, [&](const Spec& spec) {
        const ClassicView view = ClassicView::Of(spec, nullptr);
        for (const uint64_t key : DistinctKeys(20, m)) {
          const KeyHash hash = HashOf(spec, key);
          std::vector<uint64_t> positions;
          EXPECT_TRUE(view.EachPosition(hash.words, [&](uint64_t position, int i) {
            EXPECT_EQ(static_cast<size_t>(i), positions.size());
            positions.push_back(position);
            return true;
          }));
          ASSERT_EQ(positions, BitsOf(spec, key)) << ToString(spec);
        }
      });
    }
  }
}

// The kernels' bodies over a batch, by lanes that are threads.
template <typename F>
void OnAWarp(uint64_t n, F&& f) {
  HostGroup group(kWarp);
  group.Run([&](uint32_t lane) {
    const HostWarp warp(group, lane);
    for (uint64_t first = 0; first < n; first += kWarp) f(warp, first);
  });
}

TEST(ClassicOnHost, AWarpInsertsAndLooksUpAsTheScalarBackendDoes) {
  Engine scalar({.backend = "scalar"});
  const std::vector<uint64_t> keys = RepeatingKeys(333, 200, 8);
  ForEveryProbe(2'003, 5, [&](const Spec& spec) {
    const auto words = static_cast<unsigned>(spec.hash_words());
    std::vector<uint64_t> hashes(keys.size() * words);
    scalar.Hash(spec, Keys::U64(keys), hashes);
    const WordKeys batch{
        .items = hashes.data(), .seed = 0, .hashed = true, .words = spec.hash_words()};
    const uint64_t half = keys.size() / 2;
    Filter reference(Plan{.spec = spec});
    scalar.Insert(reference, Keys::U64(keys).Slice(0, half));
    for (const bool look_first : {false, true}) {
      Filter filter(Plan{.spec = spec});
      const ClassicView view = ClassicView::Of(spec, filter.mutable_data());
      OnAWarp(half, [&](const HostWarp& warp, uint64_t first) {
        look_first ? InsertTile<true>(warp, view, batch, first, half)
                   : InsertTile<false>(warp, view, batch, first, half);
      });
      EXPECT_EQ(BytesOf(filter), BytesOf(reference)) << ToString(spec);
    }
    std::vector<uint8_t> expected(AnswerBytes(keys.size()));
    const uint64_t present = scalar.Contains(reference, Keys::U64(keys), expected);
    std::vector<uint32_t> answers(keys.size() / 32 + 1);
    std::atomic<uint64_t> found = 0;
    const ClassicView view = ClassicView::Of(spec, reference.mutable_data());
    OnAWarp(keys.size(), [&](const HostWarp& warp, uint64_t first) {
      const uint32_t here = ContainsTile(warp, view, batch, first, keys.size(), answers.data());
      if (warp.lane() == 0) found += here;
    });
    EXPECT_EQ(found, present) << ToString(spec);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(),
                           reinterpret_cast<const uint8_t*>(answers.data())));
  });
}

}  // namespace
}  // namespace tamis::gpu
