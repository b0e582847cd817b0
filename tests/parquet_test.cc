// Split-block filters are Parquet's, byte for byte. The files were written by Apache Arrow's C++
// library (pyarrow 26.0.1) and by DuckDB (2.0.1), each with its own implementation of the Bloom
// filter; golden/make_parquet.py makes them and says how to run it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "tamis/engine.h"

namespace tamis {
namespace {

constexpr uint64_t kKeys = 600;

// A bitset inside a file: a line of golden/parquet.txt.
struct Place {
  std::string file;
  std::string column;
  std::streamoff offset;
  uint64_t bytes;
};

std::string GoldenPath(const std::string& name) {
  return std::string(TAMIS_GOLDEN_DIR) + "/" + name;
}

std::vector<Place> PlacesOf(const std::string& column) {
  std::ifstream list(GoldenPath("parquet.txt"));
  std::vector<Place> places;
  for (Place p; list >> p.file >> p.column >> p.offset >> p.bytes;) {
    if (p.column == column) places.push_back(p);
  }
  return places;
}

std::vector<std::byte> ReadBitset(const Place& place) {
  std::vector<std::byte> bitset(place.bytes);
  std::ifstream file(GoldenPath(place.file), std::ios::binary);
  file.seekg(place.offset);
  file.read(reinterpret_cast<char*>(bitset.data()), static_cast<std::streamsize>(place.bytes));
  EXPECT_TRUE(file) << place.file;
  return bitset;
}

std::vector<uint64_t> Ids() {
  std::vector<uint64_t> ids(kKeys);
  for (uint64_t i = 0; i < kKeys; ++i) ids[i] = i * 0x9e3779b97f4a7c15;
  return ids;
}

std::vector<std::string> Names() {
  std::vector<std::string> names(kKeys);
  for (uint64_t i = 0; i < kKeys; ++i) {
    names[i] = "k\xc3\xa9" + std::to_string(i) + std::string(i % 60, 'x');
  }
  return names;
}

void ExpectSameBitsets(const std::string& column, const Keys& keys) {
  const std::vector<Place> places = PlacesOf(column);
  ASSERT_EQ(places.size(), 2U) << "one by Arrow, one by DuckDB";
  for (const Place& place : places) {
    SCOPED_TRACE(place.file);
    Filter filter(PlanForBytes(place.bytes, {.interop = true}));
    Engine().Insert(filter, keys);
    EXPECT_EQ(std::vector<std::byte>(filter.bytes().begin(), filter.bytes().end()),
              ReadBitset(place));
  }
}

TEST(Parquet, IntegersGiveTheBitsetsOfArrowAndDuckDb) {
  const std::vector<uint64_t> ids = Ids();
  ExpectSameBitsets("id", Keys::U64(ids));
}

TEST(Parquet, StringsGiveTheBitsetsOfArrowAndDuckDb) {
  const std::vector<std::string> names = Names();
  const std::vector<std::string_view> views(names.begin(), names.end());
  ExpectSameBitsets("name", Keys::Views(views));
}

TEST(Parquet, AForeignBitsetAnswersForItsKeys) {
  const std::vector<uint64_t> ids = Ids();
  for (const Place& place : PlacesOf("id")) {
    SCOPED_TRACE(place.file);
    const std::vector<std::byte> bitset = ReadBitset(place);
    Filter filter(PlanForBytes(place.bytes));
    std::copy(bitset.begin(), bitset.end(), filter.mutable_data());
    EXPECT_EQ(Engine().Contains(filter, Keys::U64(ids)), kKeys);
  }
}

}  // namespace
}  // namespace tamis
