// XXH64 against the xxHash library and published values, masks against values worked out elsewhere,
// and where keys land.

#include "tamis/hash.h"

#include <gtest/gtest.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "samples.h"
#include "tamis/bits.h"
#include "tamis/engine.h"

namespace tamis {
namespace {

constexpr uint64_t kSeeds[] = {0, 1, 2654435761, 0x9e3779b97f4a7c15, UINT64_MAX};

// Values that the xxHash project and its ports publish.
static_assert(Xxh64(std::string_view(), 0) == 0xef46db3751d8e999);
static_assert(Xxh64("a", 0) == 0xd24ec4f1a98c6e5b);
static_assert(Xxh64("abc", 0) == 0x44bc2cf5ad770999);
static_assert(Xxh64("Nobody inspects the spammish repetition", 0) == 0xfbcea83c8a378bf1);
static_assert(Xxh64(uint64_t{0}, 0) == Xxh64(std::string_view("\0\0\0\0\0\0\0\0", 8), 0));
static_assert(Xxh64(uint64_t{0x8182838485868788}, 7) ==
              Xxh64("\x88\x87\x86\x85\x84\x83\x82\x81", 7));

// Bytes of every value, most of them above 0x7f.
std::string HighBytes(size_t length) {
  std::string bytes(length, '\0');
  for (size_t i = 0; i < length; ++i) bytes[i] = static_cast<char>(255 - i * 7 % 160);
  return bytes;
}

// Of a copy in an array, since clang-analyzer has the library read from null otherwise.
uint64_t LibraryHash(std::string_view key, uint64_t seed) {
  char copy[512];
  const size_t length = key.copy(copy, sizeof copy);
  return XXH64(copy, length, seed);
}

TEST(Hash, F13_BytesAreUnsignedAtEveryLengthFrom0To300) {
  const std::string bytes = HighBytes(300);
  for (const uint64_t seed : kSeeds) {
    for (size_t length = 0; length <= bytes.size(); ++length) {
      EXPECT_EQ(Xxh64(std::string_view(bytes).substr(0, length), seed),
                LibraryHash(std::string_view(bytes).substr(0, length), seed))
          << "length " << length << ", seed " << seed;
    }
  }
}

// The XOR of the hashes of all prefixes, computed with the Python package xxhash 4.1.0, holds the
// vectors fixed whatever library the test is built with:
//   b = bytes(255 - i * 7 % 160 for i in range(300)); h = 0
//   for n in range(301): h ^= xxhash.xxh64_intdigest(b[:n], seed)
TEST(Hash, F13_GoldenDigestOfLengthsFrom0To300) {
  const std::string bytes = HighBytes(300);
  const auto digest = [&](uint64_t seed) {
    uint64_t all = 0;
    for (size_t length = 0; length <= bytes.size(); ++length) {
      all ^= Xxh64(std::string_view(bytes).substr(0, length), seed);
    }
    return all;
  };
  EXPECT_EQ(digest(0), 0xad3dfc3d356ece31);
  EXPECT_EQ(digest(2654435761), 0xce7d0907c5348ce1);
}

TEST(Hash, UnalignedKeysHashAsAlignedOnes) {
  const std::string bytes = HighBytes(80);
  for (size_t shift = 0; shift < 8; ++shift) {
    const std::string moved = std::string(shift, '?') + bytes;
    EXPECT_EQ(Xxh64(std::string_view(moved).substr(shift), 5), Xxh64(bytes, 5));
  }
}

TEST(Hash, IntegersHashAsTheirLittleEndianBytes) {
  for (const uint64_t seed : kSeeds) {
    for (const uint64_t key : DistinctKeys(1000, 1)) {
      EXPECT_EQ(Xxh64(key, seed),
                LibraryHash({reinterpret_cast<const char*>(&key), sizeof key}, seed));
    }
  }
}

TEST(Hash, EngineHashesEveryKindOfKeysByTheSpec) {
  const std::string bytes = HighBytes(6000);
  std::vector<uint32_t> offsets;
  for (uint32_t at = 0, i = 0; at <= bytes.size(); at += i++) offsets.push_back(at);
  const uint64_t strings = offsets.size() - 1;
  const std::vector<uint64_t> integers = DistinctKeys(1000, 2);
  const Engine engine;
  for (const uint64_t seed : kSeeds) {
    const Spec spec{.seed = seed};
    const auto expect_hashes_of = [&](const Keys& keys) {
      std::vector<uint64_t> hashes(keys.size());
      engine.Hash(spec, keys, hashes);
      for (uint64_t i = 0; i < keys.size(); ++i) {
        ASSERT_EQ(hashes[i], LibraryHash(keys[i], seed)) << i;
      }
    };
    expect_hashes_of(Keys::U64(integers));
    expect_hashes_of(Keys::Strings(offsets, bytes.data()));
    for (const uint32_t width : {1U, 3U, 4U, 7U, 8U, 12U, 16U, 20U, 31U, 32U, 33U, 100U}) {
      const auto whole = std::as_bytes(std::span(bytes)).first(bytes.size() / width * width);
      expect_hashes_of(Keys::Fixed(whole, width));
    }
    std::vector<std::string_view> views(strings);
    for (uint64_t i = 0; i < strings; ++i) views[i] = Keys::Strings(offsets, bytes.data())[i];
    expect_hashes_of(Keys::Views(views));
  }
}

TEST(Hash, ReadyHashesPassThrough) {
  const std::vector<uint64_t> hashes = DistinctKeys(100, 3);
  std::vector<uint64_t> out(hashes.size());
  Engine().Hash({.seed = 9}, Keys::Hashes(hashes), out);
  EXPECT_EQ(out, hashes);
}

TEST(Hash, RoomForFewerHashesThanKeysIsRefused) {
  const std::vector<uint64_t> keys = DistinctKeys(5, 4);
  std::vector<uint64_t> out(4);
  ExpectNames(RefusalOf<InvalidArgument>([&] { Engine().Hash({}, Keys::U64(keys), out); }),
              {"4 hashes", "5 keys"});
}

// Which bit of each of the eight words, by word width. Worked out in Python:
//   SALT = [0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947,
//           0x5c6bfb31]
//   [((low * s) % 2**32) >> (32 - log2(width)) for s in SALT]
struct GoldenMask {
  uint32_t low;
  std::array<int, 8> bits32;
  std::array<int, 8> bits64;
};
constexpr GoldenMask kGoldenMasks[] = {
    {0x00000000, {0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}},
    {0x00000001, {8, 8, 17, 20, 14, 5, 19, 11}, {17, 17, 34, 40, 28, 11, 39, 23}},
    {0x00000002, {17, 17, 2, 8, 28, 11, 7, 23}, {35, 34, 4, 17, 56, 22, 15, 46}},
    {0x7fffffff, {7, 7, 30, 27, 1, 10, 28, 4}, {14, 14, 61, 55, 3, 20, 56, 8}},
    {0x80000000, {16, 16, 16, 16, 16, 16, 16, 16}, {32, 32, 32, 32, 32, 32, 32, 32}},
    {0xffffffff, {23, 23, 14, 11, 17, 26, 12, 20}, {46, 46, 29, 23, 35, 52, 24, 40}},
    {0x12345678, {12, 29, 23, 2, 15, 10, 4, 2}, {24, 59, 47, 5, 31, 20, 9, 4}},
    {0xdeadbeef, {29, 15, 12, 14, 13, 25, 24, 21}, {58, 31, 24, 28, 27, 50, 48, 42}},
};

TEST(Masks, F14_ShiftsAreUnsigned) {
  for (const GoldenMask& golden : kGoldenMasks) {
    for (int word = 0; word < kBlockWords; ++word) {
      EXPECT_EQ(MaskWord<uint32_t>(golden.low, word), uint32_t{1} << golden.bits32[word])
          << golden.low << ", word " << word;
      EXPECT_EQ(MaskWord<uint64_t>(golden.low, word), uint64_t{1} << golden.bits64[word])
          << golden.low << ", word " << word;
    }
  }
}

TEST(Masks, MarkedOnceAKeyIsNewAndThenPresent) {
  uint32_t block[kBlockWords] = {};
  EXPECT_FALSE(tamis::Test(block, 12345));
  EXPECT_TRUE(Mark(block, 12345));
  EXPECT_TRUE(tamis::Test(block, 12345));
  EXPECT_FALSE(Mark(block, 12345));
}

TEST(Masks, B4_BitsAreOredNotAdded) {
  uint64_t block[kBlockWords] = {};
  const std::vector<uint64_t> keys = DistinctKeys(15, 5);
  for (int round = 0; round < 3; ++round) {
    for (const uint64_t key : keys) Mark(block, static_cast<uint32_t>(key));
    for (const uint64_t key : keys) EXPECT_TRUE(tamis::Test(block, static_cast<uint32_t>(key)));
  }
}

// The top 32 bits choose the block, the low 32 pass through.
static_assert(Locate(0, 1).block == 0 && Locate(UINT64_MAX, 1).block == 0);
static_assert(Locate(0, 0xffffffff).block == 0);
static_assert(Locate(UINT64_MAX, 0xffffffff).block == 0xfffffffe);
static_assert(Locate(UINT64_MAX, 0x80000000).block == 0x7fffffff);
static_assert(Locate(0x8000000012345678, 3).block == 1 &&
              Locate(0x8000000012345678, 3).low == 0x12345678);
static_assert(Locate(0x55555555ffffffff, 3).block == 0 && Locate(0x5555555600000000, 3).block == 1);
static_assert(Locate(0x00000001ffffffff, 0xffffffff).block == 0);
static_assert(Locate(0x0000000200000000, 0xffffffff).block == 1);

TEST(Locate, EveryBlockIsReachableAndNoneBeyondTheLast) {
  for (const uint32_t blocks : {1U, 2U, 3U, 7U, 1000U, 65537U}) {
    for (uint32_t block = 0; block < blocks; ++block) {
      // The first hash of the block, and the last of the one before.
      const uint64_t first = ((uint64_t{block} << 32) + blocks - 1) / blocks;
      EXPECT_EQ(Locate(first << 32, blocks).block, block);
      if (block > 0) {
        EXPECT_EQ(Locate((first << 32) - 1, blocks).block, block - 1);
      }
    }
    EXPECT_EQ(Locate(UINT64_MAX, blocks).block, blocks - 1);
  }
}

}  // namespace
}  // namespace tamis
