// Filters of other systems against what those systems answered. The files in golden/ were made by
// the systems themselves (golden/oracles.py), with answers for 200 members and 10,000 foreign keys;
// tools/check-oracles makes them again and asks the systems for filters of ours.

#include "tamis/formats.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "file_test_helpers.h"
#include "tamis/engine.h"

namespace tamis {
namespace {

using testing::BigEndian;
using testing::Double;
using testing::ExpectRefused;
using testing::LittleEndian;
using testing::ReadFile;
using testing::TempDir;
using testing::WriteFile;

constexpr uint64_t kMembers = 200;
constexpr uint64_t kKeys = kMembers + 10'000;

// Keys as golden/keys.py has them.
std::string TextKey(uint64_t i) {
  std::string key = std::to_string(i);
  for (uint64_t j = 0; j < i % 24; ++j) key += "\xc3\xa9";
  return key;
}
std::string Utf16Key(uint64_t i) {
  std::string key;
  for (const char digit : std::to_string(i)) key += {digit, '\0'};
  for (uint64_t j = 0; j < i % 24; ++j) key += {'\xe9', '\0'};
  return key;
}
std::string LongKey(uint64_t i) { return LittleEndian(i * 0x9e3779b97f4a7c15, 8); }
std::string IntKey(uint64_t i) { return LittleEndian(i * 0x9e3779b1, 4); }

struct Golden {
  std::string file;
  std::string format;
  std::string (*key)(uint64_t) = TextKey;
  bool same_bytes = true;  // as we write it; gzip's depend on who compresses
};

void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.file; }

std::vector<Golden> AllGolden() {
  return {{"dcso/command.bloom", "dcso"},
          {"dcso/command.bloom.gz", "dcso-gzip", TextKey, false},
          {"dcso/flor.bloom", "dcso"},
          {"spark/v1.bin", "spark-v1"},
          {"spark/v1-long.bin", "spark-v1", LongKey},
          {"spark/v2.bin", "spark-v2"},
          {"spark/v2-seed.bin", "spark-v2"},
          {"guava/ordinal-0.bin", "guava-0"},
          {"guava/ordinal-0-utf-16.bin", "guava-0", Utf16Key},
          {"guava/ordinal-1.bin", "guava-1"},
          {"guava/ordinal-1-utf-16.bin", "guava-1", Utf16Key},
          {"guava/ordinal-1-utf-8.bin", "guava-1"},
          {"guava/ordinal-1-long.bin", "guava-1", LongKey},
          {"guava/ordinal-1-int.bin", "guava-1", IntKey},
          {"redis/scaling.dump", "redis"},
          {"redis/growth-4.dump", "redis"},
          {"redis/fixed.dump", "redis"},
          {"bits-and-blooms/filter.bin", "bits-and-blooms"}};
}

std::string Path(const std::string& name) { return std::string(TAMIS_GOLDEN_DIR) + "/" + name; }

struct KeyBatch {
  std::vector<std::string> strings;
  std::vector<std::string_view> views;

  KeyBatch(const Golden& golden, uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) strings.push_back(golden.key(i));
    views.assign(strings.begin(), strings.end());
  }
  Keys keys() const { return Keys::Views(views); }
};

std::string AnswersOf(const Engine& engine, const AnyFilter& filter, const Keys& keys) {
  std::string answers(AnswerBytes(keys.size()), '\0');
  const std::span<uint8_t> out(reinterpret_cast<uint8_t*>(answers.data()), answers.size());
  std::visit([&](const auto& f) { engine.Contains(f, keys, out); }, filter);
  return answers;
}

class Formats : public ::testing::TestWithParam<Golden> {};

TEST_P(Formats, IsToldByItsContent) {
  const FilterFile file = LoadAny(Path(GetParam().file));
  EXPECT_EQ(file.format, GetParam().format);
  EXPECT_EQ(file.counted, LossOf(file, file.format).empty() &&
                              (file.format == "redis" || file.format.starts_with("dcso")));
}

TEST_P(Formats, AnswersForMembersAndForeignKeysAsItsMakerDoes) {
  const KeyBatch batch(GetParam(), kKeys);
  const FilterFile file = LoadAny(Path(GetParam().file));
  const std::string expected = ReadFile(Path(GetParam().file) + ".answers");
  EXPECT_TRUE(AnswersOf(Engine(), file.filter, batch.keys()) == expected);
  EXPECT_TRUE(AnswersOf(testing::ScalarEngine(), file.filter, batch.keys()) == expected);
}

TEST_P(Formats, IsWrittenBackByteForByte) {
  const TempDir dir;
  const FilterFile file = LoadAny(Path(GetParam().file));
  SaveAs(file, dir / "again", file.format);
  if (GetParam().same_bytes) {
    EXPECT_TRUE(ReadFile(dir / "again") == ReadFile(Path(GetParam().file)));
  }
  SaveAs(file, dir / "native", "tamis");
  FilterFile native = LoadAny(dir / "native");
  native.attached = file.attached;
  SaveAs(native, dir / "back", file.format);
  EXPECT_TRUE(ReadFile(dir / "back") == ReadFile(dir / "again"));
}

// The whole way from keys to bits: what tamis makes of the members is what their maker made.
TEST_P(Formats, FilledHereIsTheSameFile) {
  const TempDir dir;
  const KeyBatch members(GetParam(), kMembers);
  FilterFile file = LoadAny(Path(GetParam().file));
  const std::string expected = (SaveAs(file, dir / "f", file.format), ReadFile(dir / "f"));
  if (auto* single = std::get_if<Filter>(&file.filter)) {
    single->Clear();
  } else {
    const auto& theirs = std::get<ScalableFilter>(file.filter);
    file.filter = ScalableFilter(theirs.first_capacity(), theirs.fpr(), theirs.options());
  }
  Engine engine;
  std::visit([&](auto& filter) { engine.InsertNew(filter, members.keys()); }, file.filter);
  SaveAs(file, dir / "f", file.format);
  EXPECT_TRUE(ReadFile(dir / "f") == expected);
}

TEST_P(Formats, F7_TruncatedAtEveryLengthIsRefused) {
  const TempDir dir;
  const std::string whole = ReadFile(Path(GetParam().file));
  WriteFile(dir / "f", whole);
  // What follows a DCSO filter is the user's, and its length is nowhere told.
  const uint64_t attached = LoadAny(Path(GetParam().file)).attached.size();
  for (uint64_t length = whole.size() - attached; length-- > 0;) {
    std::filesystem::resize_file(dir / "f", length);
    EXPECT_THROW(LoadAny(dir / "f", GetParam().format), FileError) << length;
  }
}

TEST_P(Formats, F4_BytesAfterTheFilterAreRefused) {
  if (GetParam().format == "dcso") GTEST_SKIP() << "there they are the user's data";
  const TempDir dir;
  WriteFile(dir / "f", ReadFile(Path(GetParam().file)) + '\0');
  EXPECT_THROW(LoadAny(dir / "f", GetParam().format), FileError);
}

std::string NameOfCase(const ::testing::TestParamInfo<Golden>& golden) {
  std::string name = golden.param.file;
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(, Formats, ::testing::ValuesIn(AllGolden()), NameOfCase);

// A golden file with some bytes replaced, read as what it was.
struct Hostile {
  std::string file;
  std::string format;
  uint64_t offset;
  std::string bytes;
  std::vector<std::string> refused_for;
};

TEST(FormatsCases, F1_F2_F3_FieldsOutOfTheirRangesAreRefusedBeforeAllocating) {
  const TempDir dir;
  const auto nan = std::bit_cast<double>(0x7ff8000000000000);
  const std::vector<Hostile> all = {
      {"dcso/command.bloom", "dcso", 32, LittleEndian(0, 8), {"bits 0"}},
      {"dcso/command.bloom",
       "dcso",
       32,
       LittleEndian(uint64_t{1} << 48, 8),
       {"bits 281474976710656"}},
      {"dcso/command.bloom", "dcso", 24, LittleEndian(369'098'752, 8), {"k 369098752", "1 to 64"}},
      {"dcso/command.bloom", "dcso", 16, Double(nan), {"rate nan"}},
      {"dcso/command.bloom", "dcso", 16, Double(-0.5), {"rate -0.5"}},
      {"dcso/command.bloom", "dcso", 16, Double(2), {"rate 2"}},
      {"dcso/command.bloom", "dcso", 0, LittleEndian(2, 8), {"flags 2", "version 1"}},
      {"spark/v1.bin", "spark-v1", 8, BigEndian(0, 4), {"words 0"}},
      {"spark/v1.bin", "spark-v1", 8, BigEndian(0x7fffffff, 4), {"file length"}},
      {"spark/v1.bin", "spark-v1", 8, BigEndian(0x80000000, 4), {"words 2147483648"}},
      {"spark/v1.bin", "spark-v1", 4, BigEndian(369'098'752, 4), {"k 369098752"}},
      {"spark/v1.bin", "spark-v2", 0, "", {"version 1", "expected 2"}},
      {"spark/v2.bin", "spark-v2", 12, BigEndian(0x7fffffff, 4), {"file length"}},
      {"guava/ordinal-1.bin", "guava-1", 1, BigEndian(0, 1), {"k 0"}},
      {"guava/ordinal-1.bin", "guava-1", 1, BigEndian(65, 1), {"k 65"}},
      {"guava/ordinal-1.bin", "guava-1", 2, BigEndian(0x7fffffff, 4), {"file length"}},
      {"guava/ordinal-1.bin", "guava-0", 0, "", {"strategy 1", "expected 0"}},
      {"bits-and-blooms/filter.bin", "bits-and-blooms", 0, BigEndian(0, 8), {"m 0"}},
      {"bits-and-blooms/filter.bin",
       "bits-and-blooms",
       0,
       BigEndian(UINT64_MAX, 8),
       {"m 184467440"}},
      {"bits-and-blooms/filter.bin", "bits-and-blooms", 8, BigEndian(65, 8), {"k 65"}},
      {"bits-and-blooms/filter.bin", "bits-and-blooms", 16, BigEndian(1628, 8), {"length", "1628"}},
      {"redis/scaling.dump", "redis", 8, LittleEndian(2, 8), {"iterator 2", "expected 1"}},
      {"redis/scaling.dump", "redis", 16, LittleEndian(UINT64_MAX, 8), {"chunk length"}},
      {"redis/scaling.dump", "redis", 32, LittleEndian(0, 4), {"layers 0"}},
      {"redis/scaling.dump", "redis", 32, LittleEndian(41, 4), {"layers 41"}},
      {"redis/scaling.dump", "redis", 36, LittleEndian(1, 4), {"options 1"}},
      {"redis/scaling.dump", "redis", 40, LittleEndian(0, 4), {"growth 0"}},
      {"redis/scaling.dump", "redis", 40, LittleEndian(3, 4), {"layer 1"}},
      {"redis/scaling.dump",
       "redis",
       44,
       LittleEndian(uint64_t{1} << 45, 8) + LittleEndian(uint64_t{1} << 48, 8),
       {"bytes 35184372088832", "are left"}},
      {"redis/scaling.dump", "redis", 68, Double(nan), {"error nan"}},
      {"redis/scaling.dump", "redis", 76, Double(nan), {"bits per key nan"}},
      {"redis/scaling.dump", "redis", 84, LittleEndian(0, 4), {"k 0"}},
  };
  for (const Hostile& hostile : all) {
    SCOPED_TRACE(hostile.file + " at " + std::to_string(hostile.offset));
    std::string image = ReadFile(Path(hostile.file));
    image.replace(hostile.offset, hostile.bytes.size(), hostile.bytes);
    const std::string path = dir / std::to_string(&hostile - all.data());
    WriteFile(path, image);
    ExpectRefused([&] { LoadAny(path, hostile.format); }, hostile.refused_for);
  }
}

TEST(FormatsCases, F4_BitsPastTheLastAreRefused) {
  const TempDir dir;
  std::string dcso = ReadFile(Path("dcso/command.bloom"));
  dcso.back() = '\x80';
  WriteFile(dir / "dcso", dcso);
  ExpectRefused([&] { LoadAny(dir / "dcso"); }, {"bits past", "1628"});
  std::string go = ReadFile(Path("bits-and-blooms/filter.bin"));
  go[go.size() - 8] = '\x80';
  WriteFile(dir / "go", go);
  ExpectRefused([&] { LoadAny(dir / "go"); }, {"bits past", "1629"});
}

TEST(FormatsCases, F6_ADamagedGzipStreamIsRefused) {
  const TempDir dir;
  const std::string whole = ReadFile(Path("dcso/command.bloom.gz"));
  for (size_t at = whole.size() - 8; at < whole.size(); ++at) {
    std::string image = whole;
    image[at] = static_cast<char>(image[at] ^ 1);
    const std::string path = dir / std::to_string(at);
    WriteFile(path, image);
    ExpectRefused([&] { LoadAny(path, "dcso-gzip"); }, {"gzip stream"});
  }
}

TEST(FormatsCases, F8_FiltersOfAnotherSchemeAreRefusedByName) {
  const TempDir dir;
  const FilterFile guava = LoadAny(Path("guava/ordinal-1.bin"));
  for (const FormatFacts& facts : tamis::Formats()) {
    if (facts.name == "tamis" || facts.name == "guava-1") continue;
    ExpectRefused([&] { SaveAs(guava, dir / "out", facts.name); }, {"holds", "not [classic"});
  }
  EXPECT_TRUE(dir.Names().empty());
}

TEST(FormatsCases, F12_MergingFiltersOfUnequalSizeIsRefusedWithBoth) {
  Filter small(PlanForFormat("guava-1", 1000, 0.01));
  const Filter large(PlanForFormat("guava-1", 2000, 0.01));
  ExpectRefused([&] { Engine().Merge(small, large); }, {"9600 bits", "19200 bits"});
}

TEST(FormatsCases, SizesAreThoseThatEachMakerChooses) {
  const auto same = [](const std::string& file, uint64_t keys, double fpr) {
    const FilterFile theirs = LoadAny(Path(file));
    const Plan plan = PlanForFormat(theirs.format, keys, fpr);
    EXPECT_EQ(plan.spec, std::get<Filter>(theirs.filter).spec()) << file;
  };
  same("dcso/command.bloom", kMembers, 0.02);
  same("dcso/flor.bloom", kMembers + 100, 0.05);
  same("guava/ordinal-0.bin", kMembers, 0.02);
  same("guava/ordinal-1.bin", kMembers, 0.02);
  same("redis/fixed.dump", kMembers + 20, 0.02);
  same("bits-and-blooms/filter.bin", kMembers, 0.02);
  ExpectRefused([] { PlanForFormat("dcso", 1000, 0.01, 7); }, {"seed 7", "dcso"});
  ExpectRefused([] { PlanForFormat("tamis", 1000, 0.01); }, {"variant"});
  ExpectRefused([] { PlanForFormat("guava-1", UINT64_MAX, 1e-9); }, {"bits", "limit"});
}

}  // namespace
}  // namespace tamis
