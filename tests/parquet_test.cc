// Split-block filters are Parquet's, byte for byte. The files were written by Apache Arrow's C++
// library (pyarrow 26.0.1) and by DuckDB (2.0.1), each with its own implementation of the Bloom
// filter; golden/parquet/make.py makes them and says how to run it.

#include "tamis/parquet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "file_test_helpers.h"
#include "tamis/engine.h"

namespace tamis {
namespace {

using testing::ExpectRefused;
using testing::ReadFile;
using testing::TempDir;
using testing::WriteFile;

constexpr uint64_t kKeys = 600;
constexpr uint64_t kStep = 0x9e3779b97f4a7c15;

std::string GoldenPath(const std::string& name) {
  return std::string(TAMIS_GOLDEN_DIR) + "/parquet/" + name;
}

// Both writers, and the key at which each of their row groups begins.
struct Writer {
  std::string file;
  std::vector<uint64_t> first_keys;
};
std::vector<Writer> Writers() {
  return {{"arrow.parquet", {0, 400, kKeys}}, {"duckdb.parquet", {0, 256, 512, kKeys}}};
}

// Keys of a column as their PLAIN encoding: strings that hold the bytes.
std::vector<std::string> PlainKeys(const std::string& column, uint64_t first, uint64_t end) {
  std::vector<std::string> keys;
  for (uint64_t i = first; i < end; ++i) {
    const uint64_t id = i * kStep;
    if (column == "name") {
      keys.push_back("k\xc3\xa9" + std::to_string(i) + std::string(i % 60, 'x'));
    } else {
      keys.emplace_back(reinterpret_cast<const char*>(&id), column == "id" ? 8 : 4);
    }
  }
  return keys;
}

Keys ViewsOf(const std::vector<std::string>& keys, std::vector<std::string_view>& views) {
  views.assign(keys.begin(), keys.end());
  return Keys::Views(views);
}

std::string ListedAsText(const std::string& file) {
  std::string text;
  for (const ParquetFilter& place : ListParquetFilters(GoldenPath(file)).filters) {
    // Both writers' headers take 16 bytes here, those of large filters more.
    text += file + " " + std::to_string(place.row_group) + " " + place.column + " " +
            std::to_string(place.offset - 16) + " " + std::to_string(place.bytes + 16) + "\n";
  }
  return text;
}

TEST(Parquet, FiltersAreFoundWhereDuckDbFindsThem) {
  EXPECT_EQ(ListedAsText("arrow.parquet") + ListedAsText("duckdb.parquet"),
            ReadFile(GoldenPath("places.txt")));
}

TEST(Parquet, EveryColumnGivesTheBitsetsOfArrowAndDuckDb) {
  std::vector<std::string_view> views;
  for (const Writer& writer : Writers()) {
    const std::string path = GoldenPath(writer.file);
    for (const ParquetFilter& place : ListParquetFilters(path).filters) {
      SCOPED_TRACE(writer.file + " " + place.column);
      const Filter theirs = ReadParquetFilter(path, place);
      Filter ours(PlanForBytes(place.bytes, {.interop = true}));
      const auto keys = PlainKeys(place.column, writer.first_keys[place.row_group],
                                  writer.first_keys[place.row_group + 1]);
      Engine().Insert(ours, ViewsOf(keys, views));
      EXPECT_TRUE(std::ranges::equal(ours.bytes(), theirs.bytes()));
      EXPECT_EQ(Engine().Contains(theirs, ViewsOf(keys, views)), keys.size());
      EXPECT_NEAR(static_cast<double>(theirs.inserted()), static_cast<double>(keys.size()),
                  0.1 * static_cast<double>(keys.size()));
    }
  }
}

TEST(Parquet, TypesAreTold) {
  const ParquetFilters found = ListParquetFilters(GoldenPath("arrow.parquet"));
  const auto& places = found.filters;
  EXPECT_EQ(NameOf(places[0].type), "INT64");
  EXPECT_EQ(NameOf(places[1].type), "BYTE_ARRAY");
  EXPECT_EQ(NameOf(places[2].type), "INT32");
  EXPECT_EQ(places[0].rows, 400U);
  EXPECT_EQ(found.row_groups, 2U);
}

TEST(ParquetCases, F7_TruncatedAtEveryLengthIsRefused) {
  const TempDir dir;
  const std::string path = dir / "f";
  WriteFile(path, ReadFile(GoldenPath("arrow.parquet")));
  for (uint64_t length = std::filesystem::file_size(path); length-- > 0;) {
    std::filesystem::resize_file(path, length);
    EXPECT_THROW(ListParquetFilters(path), FileError) << length;
  }
}

TEST(ParquetCases, F2_ALengthPastTheFilesEndIsRefusedBeforeAllocating) {
  const TempDir dir;
  std::string image = ReadFile(GoldenPath("arrow.parquet"));
  image.replace(image.size() - 8, 4, "\xff\xff\xff\x7f");
  WriteFile(dir / "footer", image);
  ExpectRefused([&] { ListParquetFilters(dir / "footer"); }, {"footer length 2147483647"});

  image = ReadFile(GoldenPath("arrow.parquet"));
  const uint64_t header = ListParquetFilters(GoldenPath("arrow.parquet")).filters[0].offset - 16;
  // numBytes as a varint of its own length, which now claims 2^20 - 32 bytes
  image.replace(header + 1, 2, "\xc0\x7f");
  WriteFile(dir / "bitset", image);
  ExpectRefused([&] { ListParquetFilters(dir / "bitset"); }, {"bitset length 8160", "are left"});
}

TEST(ParquetCases, F5_ABitsetThatIsNoWholeNumberOfBlocksIsRefused) {
  const TempDir dir;
  const uint64_t header = ListParquetFilters(GoldenPath("arrow.parquet")).filters[0].offset - 16;
  for (const int bytes : {0, 8, 16, 24, 33}) {
    std::string image = ReadFile(GoldenPath("arrow.parquet"));
    image[header + 1] = static_cast<char>(0x80 | (2 * bytes & 0x7f));
    image[header + 2] = static_cast<char>(2 * bytes >> 7);
    WriteFile(dir / "f", image);
    ExpectRefused([&] { ListParquetFilters(dir / "f"); },
                  {"bitset length " + std::to_string(bytes), "multiple of 32"});
  }
}

TEST(ParquetCases, F8_AnotherAlgorithmIsRefused) {
  const TempDir dir;
  std::string image = ReadFile(GoldenPath("arrow.parquet"));
  const uint64_t header = ListParquetFilters(GoldenPath("arrow.parquet")).filters[0].offset - 16;
  image[header + 4] = '\x2c';  // the union's second member
  WriteFile(dir / "f", image);
  ExpectRefused([&] { ListParquetFilters(dir / "f"); }, {"algorithm 2", "expected 1"});
}

}  // namespace
}  // namespace tamis
