// result.json: what was written is read back, and what is no result is refused by name.

#include "bench/result.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tamis/error.h"

namespace tamis::bench {
namespace {

Result Sample() {
  Result result;
  result.machine = {.cpu = "a \"processor\" of\tours \xc3\xa9",
                    .cores = 2,
                    .l1_bytes = 32768,
                    .l2_bytes = 1 << 20,
                    .l3_bytes = uint64_t{1} << 40,
                    .memory_bytes = UINT64_MAX,
                    .page_kinds = {"4k", "huge"},
                    .compiler = "gcc",
                    .version = "1.2.3",
                    .date = "2024-01-01T00:00:00Z",
                    .noise = 0.0625};
  result.limits.push_back({.access = "read",
                           .block_bytes = 32,
                           .array_bytes = 1'250'000'000,
                           .pages = "huge",
                           .threads = 2,
                           .distance = 128,
                           .level = 2,
                           .m_per_s = 394.1});
  result.rows.push_back({.system = "tamis",
                         .backend = "simd",
                         .target = "AVX3",
                         .threads = 1,
                         .op = "insert_new",
                         .variant = "split_block",
                         .key_kind = "strings60",
                         .filter_keys = 1'000'000'000'000,
                         .bits_per_key = 10,
                         .hit_share = 0.5,
                         .batch = 16,
                         .pages = "4k",
                         .mkeys_per_s = 123.456,
                         .fpr = 1.0 / 3,
                         .fpr_theory = 1e-9,
                         .limit_mkeys_per_s = 200,
                         .limit_share = 0.61728});
  result.rows.emplace_back();
  return result;
}

class ResultFile : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Path() const { return (folder_ / "result.json").string(); }
  void Put(const std::string& text) const { std::ofstream(Path()) << text; }
  std::string Text() const {
    std::ifstream file(Path());
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("result_test.") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(ResultFile, ComesBackAsItWas) {
  WriteResult(Sample(), Path());
  const Result back = ReadResult(Path());
  EXPECT_EQ(back.machine.cpu, Sample().machine.cpu);
  EXPECT_EQ(back.machine.memory_bytes, UINT64_MAX);
  EXPECT_EQ(back.machine.page_kinds, Sample().machine.page_kinds);
  ASSERT_EQ(back.limits.size(), 1U);
  EXPECT_EQ(back.limits[0].m_per_s, 394.1);
  ASSERT_EQ(back.rows.size(), 2U);
  EXPECT_EQ(back.rows[0].filter_keys, 1'000'000'000'000U);
  EXPECT_EQ(back.rows[0].fpr, 1.0 / 3);
  EXPECT_EQ(back.rows[1].system, "");

  // Every field: the same text when written again.
  const std::string text = Text();
  WriteResult(back, Path());
  EXPECT_EQ(Text(), text);
  EXPECT_NE(text.find("\"limit_share\": 0.61728"), std::string::npos);
}

TEST_F(ResultFile, HoldsNoInvalidText) {
  Result result = Sample();
  result.machine.cpu = "\xff\xfe";
  WriteResult(result, Path());
  EXPECT_NO_THROW(ReadResult(Path()));
}

TEST_F(ResultFile, MayHaveFieldsThatALaterVersionAdds) {
  WriteResult(Sample(), Path());
  std::string text = Text();
  text.replace(text.find("\"cpu\""), 0, "\"sockets\": 2, ");
  Put(text);
  EXPECT_EQ(ReadResult(Path()).machine.cores, 2);
}

TEST_F(ResultFile, IsRefusedByName) {
  const auto expect_refused = [&](const std::string& why) {
    try {
      ReadResult(Path());
      ADD_FAILURE() << "not refused: " << why;
    } catch (const FileError& error) {
      EXPECT_NE(std::string(error.what()).find(Path()), std::string::npos) << why;
    }
  };
  expect_refused("not there");
  for (const char* text : {"", "{", "[]", "{}", "null", "7", R"({"machine": 1})",
                           R"({"machine": {}, "limits": [], "rows": []})"}) {
    Put(text);
    expect_refused(text);
  }
  WriteResult(Sample(), Path());
  std::string text = Text();
  text.replace(text.find("\"tamis\""), 7, "[1]");
  Put(text);
  expect_refused("a system that is no text");
}

TEST_F(ResultFile, CannotBeWrittenWhereThereIsNoFolder) {
  EXPECT_THROW(WriteResult(Sample(), Path() + "/nowhere/result.json"), FileError);
}

}  // namespace
}  // namespace tamis::bench
