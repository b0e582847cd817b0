// Views of keys: what they show, and what a slice of them shows. And the bits of answers.

#include "tamis/keys.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "samples.h"
#include "tamis/answers.h"
#include "tamis/engine.h"

namespace tamis {
namespace {

using Texts = std::vector<std::string>;

Texts TextsOf(const Keys& keys) {
  Texts texts;
  for (uint64_t i = 0; i < keys.size(); ++i) texts.emplace_back(keys[i]);
  return texts;
}

TEST(Keys, StringsLieBetweenOffsetsLessTheGap) {
  const std::string lines = "one\n\nthree\nfour\n";
  const std::vector<uint32_t> offsets = {0, 4, 5, 11, 16};
  const Keys keys = Keys::Strings(offsets, lines.data(), 1);
  EXPECT_EQ(TextsOf(keys), Texts({"one", "", "three", "four"}));
  EXPECT_EQ(TextsOf(keys.Slice(2, 2)), Texts({"three", "four"}));
  EXPECT_EQ(TextsOf(keys.Slice(1, 3).Slice(1, 1)), Texts({"three"}));
}

TEST(Keys, FixedKeysAreWidthBytesEach) {
  const std::string bytes = "abcdefghi";
  const Keys keys = Keys::Fixed(std::as_bytes(std::span(bytes)), 3);
  EXPECT_EQ(keys.width(), 3U);
  EXPECT_EQ(TextsOf(keys), Texts({"abc", "def", "ghi"}));
  EXPECT_EQ(TextsOf(keys.Slice(2, 1)), Texts({"ghi"}));
}

TEST(Keys, FixedBytesThatAreNoWholeKeysAreRefused) {
  const std::vector<std::byte> bytes(10);
  ExpectNames(RefusalOf<InvalidArgument>([&] { Keys::Fixed(bytes, 3); }), {"10 bytes", "of 3"});
  ExpectNames(RefusalOf<InvalidArgument>([&] { Keys::Fixed(bytes, 0); }), {"10 bytes", "of 0"});
}

TEST(Keys, EmptyBatchesOfEveryKindAndSlicesAtTheEndAreEmpty) {
  const std::vector<uint32_t> lone_offset = {5};
  const std::vector<uint64_t> numbers = DistinctKeys(3, 1);
  Filter filter(PlanFor(10, 0.01));
  Engine engine;
  for (const Keys& none :
       {Keys::U64({}), Keys::Fixed({}, 5), Keys::Strings(std::span<const uint32_t>(), nullptr),
        Keys::Strings(std::span<const uint64_t>(), nullptr), Keys::Strings(lone_offset, nullptr, 1),
        Keys::Views({}), Keys::Hashes({}), Keys::U64(numbers).Slice(3, 0),
        Keys::U64({}).Slice(0, 0)}) {
    EXPECT_TRUE(none.empty());
    engine.Insert(filter, none);
    EXPECT_EQ(engine.InsertNew(filter, none), 0U);
    EXPECT_EQ(engine.Contains(filter, none), 0U);
    engine.Hash(filter.spec(), none, {});
  }
  EXPECT_EQ(filter.inserted(), 0U);
  EXPECT_EQ(filter.Fill(), 0);
}

TEST(Keys, EmptyStringsAreKeysLikeAnyOther) {
  const std::vector<std::string_view> views = {"", "a", "", std::string_view()};
  Filter filter(PlanFor(10, 1e-6));
  std::vector<uint8_t> answers(1);
  EXPECT_EQ(Engine().InsertNew(filter, Keys::Views(views), answers), 2U);
  EXPECT_EQ(answers[0], 0b0011);
}

TEST(Keys, ZeroBytesCount) {
  const std::vector<std::string_view> views = {"a", std::string_view("a\0", 2), "a"};
  Filter filter(PlanFor(10, 1e-6));
  EXPECT_EQ(Engine().InsertNew(filter, Keys::Views(views)), 2U);
}

static_assert(AnswerBytes(0) == 0 && AnswerBytes(1) == 1 && AnswerBytes(8) == 1);
static_assert(AnswerBytes(9) == 2 && AnswerBytes(UINT64_MAX) == uint64_t{1} << 61);

TEST(Answers, AreLeastSignificantBitFirst) {
  std::vector<uint8_t> answers = {0, 0xff};
  SetAnswer(answers.data(), 3, true);
  SetAnswer(answers.data(), 9, false);
  EXPECT_EQ(answers, (std::vector<uint8_t>{0x08, 0xfd}));
  EXPECT_TRUE(AnswerAt(answers.data(), 3));
  EXPECT_FALSE(AnswerAt(answers.data(), 9));
}

TEST(Answers, FillTouchesTheFirstOnly) {
  std::vector<uint8_t> answers = {0, 0, 0};
  FillAnswers(answers.data(), 11, true);
  EXPECT_EQ(answers, (std::vector<uint8_t>{0xff, 0x07, 0}));
  FillAnswers(answers.data(), 9, false);
  EXPECT_EQ(answers, (std::vector<uint8_t>{0, 0x06, 0}));
}

}  // namespace
}  // namespace tamis
