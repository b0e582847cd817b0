// What a batch means: order, repeats, odd sizes, unaligned memory, and keys of every kind. Runs on
// the engine as it chooses, and holds it to definitions of its own, written out bit by bit.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "samples.h"
#include "tamis/bits.h"
#include "tamis/engine.h"
#include "tamis/hash.h"

namespace tamis {
namespace {

constexpr uint64_t kSizes[] = {0, 1, 7, 63, 64, 65, 1000, 100'003};

class Batches : public testing::TestWithParam<Variant> {
 protected:
  Filter FilterFor(uint64_t keys, double fpr) const {
    return Filter(PlanFor(keys, fpr, {.variant = GetParam()}));
  }
  Engine engine_;
};
INSTANTIATE_TEST_SUITE_P(Variants, Batches,
                         testing::ValuesIn(AllVariants().begin(), AllVariants().end()),
                         [](const auto& test) { return std::string(NameOf(test.param)); });

// Key i is new exactly if it is the first of the batch to set some bit that was clear before.
TEST_P(Batches, AKeyIsNewIfItIsTheFirstToSetSomeBit) {
  const std::vector<uint64_t> keys = RepeatingKeys(20'000, 8000, 1);
  Filter filter = FilterFor(4000, 0.05);  // tight: many keys are new by one bit only
  std::vector<bool> bits(filter.spec().bits());
  std::vector<uint8_t> answers(AnswerBytes(keys.size()));
  const uint64_t count = engine_.InsertNew(filter, Keys::U64(keys), answers);
  uint64_t right = 0;
  for (uint64_t i = 0; i < keys.size(); ++i) {
    bool is_new = false;
    for (const uint64_t bit : BitsOf(filter.spec(), keys[i])) {
      is_new |= !bits[bit];
      bits[bit] = true;
    }
    ASSERT_EQ(AnswerAt(answers.data(), i), is_new) << i;
    right += is_new ? 1 : 0;
  }
  EXPECT_EQ(count, right);
  EXPECT_EQ(filter.inserted(), right);
  for (uint64_t i = 0; i < bits.size(); ++i) {
    ASSERT_EQ((std::to_integer<int>(filter.bytes()[i / 8]) >> (i % 8) & 1) != 0, bits[i]) << i;
  }
}

TEST_P(Batches, B3_EachDistinctKeyIsCountedOnce) {
  const std::vector<uint64_t> keys = RepeatingKeys(50'000, 5000, 2);
  Filter filter = FilterFor(50'000, 1e-9);
  std::vector<uint8_t> answers(AnswerBytes(keys.size()));
  std::unordered_set<uint64_t> seen;
  const uint64_t count = engine_.InsertNew(filter, Keys::U64(keys), answers);
  for (uint64_t i = 0; i < keys.size(); ++i) {
    ASSERT_EQ(AnswerAt(answers.data(), i), seen.insert(keys[i]).second) << i;
  }
  EXPECT_EQ(count, seen.size());
  EXPECT_EQ(engine_.InsertNew(filter, Keys::U64(keys)), 0U);
  EXPECT_EQ(filter.inserted(), seen.size());
}

TEST_P(Batches, B4_NoKeyIsLostAfterFifteenRandomInserts) {
  Filter filter = FilterFor(1000, 0.01);
  for (uint64_t set = 0; set < 15; ++set) {
    engine_.Insert(filter, Keys::U64(DistinctKeys(100, set)));
    for (uint64_t before = 0; before <= set; ++before) {
      EXPECT_EQ(engine_.Contains(filter, Keys::U64(DistinctKeys(100, before))), 100U);
    }
  }
}

// Seconds that one InsertNew takes, the best of three into an empty filter.
double SecondsFor(Engine& engine, Filter& filter, const Keys& keys, uint64_t right) {
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    filter.Clear();
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(engine.InsertNew(filter, keys), right);
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

TEST_P(Batches, B5_OneKeyTenMillionTimesIsNewOnce) {
  const std::vector<uint64_t> keys(10'000'000, 0x123456789);
  Filter filter = FilterFor(1'000'000, 0.01);
  std::vector<uint8_t> answers(AnswerBytes(keys.size()), 0xff);
  EXPECT_EQ(engine_.InsertNew(filter, Keys::U64(keys), answers), 1U);
  EXPECT_EQ(answers[0], 1);
  EXPECT_TRUE(std::all_of(answers.begin() + 1, answers.end(), [](uint8_t a) { return a == 0; }));
  EXPECT_EQ(engine_.Contains(filter, Keys::U64(keys).Slice(0, 100'000)), 100'000U);
}

TEST_P(Batches, B5_SkewCostsNoMoreThanAFewTimesTheUsual) {
  constexpr uint64_t kKeys = 500'000;
  Filter filter = FilterFor(kKeys, 1e-9);
  const std::vector<uint64_t> distinct = DistinctKeys(kKeys, 3);
  const std::vector<uint64_t> equal(kKeys, 17);
  // Hashes whose words have one high half, a few thousand low ones.
  const int words = filter.spec().hash_words();
  std::vector<uint64_t> one_block(kKeys * static_cast<uint64_t>(words));
  for (uint64_t i = 0; i < one_block.size(); ++i) {
    one_block[i] = (uint64_t{77} << 32) | (distinct[i % kKeys] % 4096);
  }
  const double usual = SecondsFor(engine_, filter, Keys::U64(distinct), kKeys);
  EXPECT_LT(SecondsFor(engine_, filter, Keys::U64(equal), 1), 10 * usual);
  const uint64_t fresh = [&] {
    Filter once = FilterFor(kKeys, 1e-9);
    return Engine({.backend = "scalar"}).InsertNew(once, Keys::Hashes(one_block, words));
  }();
  EXPECT_LT(SecondsFor(engine_, filter, Keys::Hashes(one_block, words), fresh), 10 * usual);
}

// Every size, with answers at every alignment, between bytes of two patterns: bits beyond the last
// answer stay as they were.
TEST_P(Batches, B6_OddSizesWriteTheirBitsAndNoOthers) {
  for (const uint64_t n : kSizes) {
    const std::vector<uint64_t> keys = RepeatingKeys(n, n / 2 + 1, 4);
    for (const uint64_t shift : {0, 1, 3}) {
      for (const uint8_t pattern : {0xa5, 0x5a}) {
        std::vector<uint8_t> memory(shift + AnswerBytes(n) + 9, pattern);
        const std::span<uint8_t> answers = std::span(memory).subspan(shift);
        const auto expect_frame = [&](uint64_t ones) {
          for (uint64_t i = 0; i < n; ++i) ones -= AnswerAt(answers.data(), i) ? 1 : 0;
          EXPECT_EQ(ones, 0U) << "the count is that of the answers";
          for (uint64_t i = 0; i < shift; ++i) ASSERT_EQ(memory[i], pattern);
          for (uint64_t i = n; i < answers.size() * 8; ++i) {
            ASSERT_EQ(AnswerAt(answers.data(), i), AnswerAt(&pattern, i % 8)) << n << " " << i;
          }
        };
        Filter filter = FilterFor(n, 1e-6);
        expect_frame(engine_.InsertNew(filter, Keys::U64(keys), answers));
        expect_frame(engine_.Contains(filter, Keys::U64(keys), answers));
        EXPECT_EQ(engine_.Contains(filter, Keys::U64(keys)), n);
      }
    }
  }
}

TEST_P(Batches, B6_UnalignedKeysAreTheSameKeys) {
  for (const uint64_t n : kSizes) {
    const std::vector<uint64_t> keys = DistinctKeys(n, 5);
    Filter right = FilterFor(n, 0.01);
    engine_.Insert(right, Keys::U64(keys));
    for (const size_t shift : {1, 3, 4}) {
      std::vector<std::byte> memory(n * 8 + shift);
      if (n != 0) std::memcpy(memory.data() + shift, keys.data(), n * 8);
      Filter filter = FilterFor(n, 0.01);
      engine_.Insert(filter, Keys::Fixed(std::span(memory).subspan(shift), 8));
      EXPECT_TRUE(BytesOf(filter) == BytesOf(right)) << n << " keys, " << shift << " bytes off";
    }
  }
}

TEST_P(Batches, SingleKeysAgreeWithBatches) {
  const std::vector<uint64_t> keys = RepeatingKeys(3000, 1500, 6);
  Filter batch = FilterFor(500, 0.05);
  Filter single = FilterFor(500, 0.05);
  Filter bytes = FilterFor(500, 0.05);
  std::vector<uint8_t> answers(AnswerBytes(keys.size()));
  engine_.InsertNew(batch, Keys::U64(keys), answers);
  for (uint64_t i = 0; i < keys.size(); ++i) {
    const std::string_view key(reinterpret_cast<const char*>(&keys[i]), 8);
    ASSERT_EQ(engine_.InsertOne(single, keys[i]), AnswerAt(answers.data(), i)) << i;
    ASSERT_EQ(engine_.InsertOne(bytes, key), AnswerAt(answers.data(), i)) << i;
  }
  EXPECT_EQ(BytesOf(single), BytesOf(batch));
  EXPECT_EQ(BytesOf(bytes), BytesOf(batch));
  EXPECT_EQ(single.inserted(), batch.inserted());
  const std::vector<uint64_t> asked = DistinctKeys(3000, 7);
  engine_.Contains(batch, Keys::U64(asked), answers);
  for (uint64_t i = 0; i < asked.size(); ++i) {
    ASSERT_EQ(engine_.ContainsOne(batch, asked[i]), AnswerAt(answers.data(), i)) << i;
  }
}

TEST_P(Batches, CutsDoNotMatter) {
  const std::vector<uint64_t> keys = RepeatingKeys(30'000, 20'000, 8);
  Filter whole = FilterFor(10'000, 0.05);
  std::vector<uint8_t> right(AnswerBytes(keys.size()));
  engine_.InsertNew(whole, Keys::U64(keys), right);
  for (const uint64_t cut : {1, 13, 64, 1000, 29'999}) {
    Filter filter = FilterFor(10'000, 0.05);
    std::vector<uint8_t> answers(AnswerBytes(cut));
    for (uint64_t first = 0; first < keys.size(); first += cut) {
      const uint64_t count = std::min(cut, keys.size() - first);
      engine_.InsertNew(filter, Keys::U64(keys).Slice(first, count), answers);
      for (uint64_t i = 0; i < count; ++i) {
        ASSERT_EQ(AnswerAt(answers.data(), i), AnswerAt(right.data(), first + i)) << first + i;
      }
    }
    EXPECT_EQ(BytesOf(filter), BytesOf(whole)) << cut;
  }
}

// One batch of the same eight-byte keys as every kind there is.
TEST_P(Batches, KeysOfEveryKindAreTheSameKeys) {
  const std::vector<uint64_t> keys = RepeatingKeys(5000, 3000, 9);
  const char* bytes = reinterpret_cast<const char*>(keys.data());
  std::vector<uint32_t> narrow(keys.size() + 1);
  std::vector<uint64_t> wide(keys.size() + 1);
  std::vector<uint32_t> gapped(keys.size() + 1);
  std::vector<std::string_view> views(keys.size());
  std::string lines;
  for (uint64_t i = 0; i < keys.size(); ++i) {
    narrow[i + 1] = static_cast<uint32_t>(8 * (i + 1));
    wide[i + 1] = narrow[i + 1];
    views[i] = {bytes + 8 * i, 8};
    lines += std::string(views[i]) + '\n';
    gapped[i + 1] = static_cast<uint32_t>(lines.size());
  }
  const std::vector<int32_t> arrow(narrow.begin(), narrow.end());
  const std::vector<int64_t> large_arrow(narrow.begin(), narrow.end());
  Filter right = FilterFor(2000, 0.05);
  const int words = right.spec().hash_words();
  std::vector<uint64_t> hashes(keys.size() * static_cast<uint64_t>(words));
  engine_.Hash(right.spec(), Keys::U64(keys), hashes);
  std::vector<uint8_t> right_answers(AnswerBytes(keys.size()));
  engine_.InsertNew(right, Keys::U64(keys), right_answers);
  for (const Keys& same :
       {Keys::Fixed(std::as_bytes(std::span(keys)), 8), Keys::Strings(narrow, bytes),
        Keys::Strings(wide, bytes), Keys::Strings(arrow, bytes), Keys::Strings(large_arrow, bytes),
        Keys::Strings(gapped, lines.data(), 1), Keys::Views(views), Keys::Hashes(hashes, words)}) {
    SCOPED_TRACE(static_cast<int>(same.kind()));
    ASSERT_EQ(same.size(), keys.size());
    Filter filter = FilterFor(2000, 0.05);
    std::vector<uint8_t> answers(AnswerBytes(keys.size()));
    // In two slices, the second from the middle of a byte of answers.
    engine_.InsertNew(filter, same.Slice(0, 1003), answers);
    std::vector<uint8_t> rest(AnswerBytes(keys.size() - 1003));
    engine_.InsertNew(filter, same.Slice(1003, keys.size() - 1003), rest);
    for (uint64_t i = 1003; i < keys.size(); ++i) {
      SetAnswer(answers.data(), i, AnswerAt(rest.data(), i - 1003));
    }
    EXPECT_EQ(answers, right_answers);
    EXPECT_EQ(BytesOf(filter), BytesOf(right));
  }
}

}  // namespace
}  // namespace tamis
