// Filters of more than 2^32 bits in each format of other systems: a sparse file with a header
// written here, byte for byte as core/formats describes it, and the bits of a few keys where the
// definition puts them. What the readers make of it is asked by the reference and by the kernels.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "file_test_helpers.h"
#include "tamis/engine.h"
#include "tamis/formats.h"
#include "tamis/schemes.h"

namespace tamis {
namespace {

using testing::BigEndian;
using testing::Double;
using testing::LittleEndian;
using testing::TempDir;
using testing::WriteFile;

constexpr uint64_t kBit32 = uint64_t{1} << 32;
constexpr uint64_t kCapacity = 450'000'000;
constexpr double kFpr = 0.01;
constexpr uint64_t kMembers = 100;
constexpr uint64_t kKeys = 1000;

// The words of a filter in a file.
struct Layout {
  std::string header;
  bool big_endian = false;
  uint64_t piece = UINT64_MAX;  // bytes of the body before another frame comes
};

struct Large {
  std::string format;
  bool past_2_32 = true;  // positions of 31 bits go no further than that
};
void PrintTo(const Large& large, std::ostream* out) { *out << large.format; }

Plan PlanOf(const std::string& format) {
  if (format != "parquet") return PlanForFormat(format, kCapacity, kFpr);
  return PlanFor(kCapacity, kFpr);  // whose own plans end at 128 MiB
}

// Thrift's compact numbers: seven bits a byte, least first, after doubling.
std::string Varint(uint64_t value) {
  std::string bytes;
  for (value *= 2; value >= 128; value /= 128) bytes += static_cast<char>(value % 128 + 128);
  return bytes + static_cast<char>(value);
}

// RedisBloom's frame of a chunk: its iterator, and its length.
constexpr uint64_t kRedisChunk = uint64_t{16} << 20;
std::string Frame(uint64_t iterator, uint64_t bytes) {
  return LittleEndian(iterator, 8) + LittleEndian(bytes, 8);
}

Layout RedisLayout(const Plan& plan) {
  const Spec& spec = plan.spec;
  const std::string chain =
      LittleEndian(kMembers, 8) + LittleEndian(1, 4) + LittleEndian(13, 4) + LittleEndian(2, 4);
  const std::string layer = LittleEndian(spec.bytes(), 8) + LittleEndian(spec.m, 8) +
                            LittleEndian(kMembers, 8) + Double(kFpr) +
                            Double(-std::log(kFpr) / 0.480453013918201) +
                            LittleEndian(static_cast<uint64_t>(spec.k), 4) +
                            LittleEndian(kCapacity, 8) + LittleEndian(0, 1);
  return {.header = std::string("\x89"
                                "BFdump\n") +
                    Frame(1, chain.size() + layer.size()) + chain + layer,
          .piece = kRedisChunk};
}

Layout LayoutOf(const std::string& format, const Plan& plan) {
  const Spec& spec = plan.spec;
  const auto k = static_cast<uint64_t>(spec.k);
  const uint64_t words = spec.bytes() / 8;
  if (format == "redis") return RedisLayout(plan);
  if (format == "parquet") {
    std::string header(1, '\x15');
    header += Varint(spec.bytes());
    for (int i = 0; i < 3; ++i) header += std::string("\x1c\x1c\0\0", 4);
    return {.header = header + '\0'};
  }
  if (format == "dcso") {
    return {.header = LittleEndian(1, 8) + LittleEndian(kCapacity, 8) + Double(kFpr) +
                      LittleEndian(k, 8) + LittleEndian(spec.m, 8) + LittleEndian(kMembers, 8)};
  }
  if (format == "bits-and-blooms") {
    return {.header = BigEndian(spec.m, 8) + BigEndian(k, 8) + BigEndian(spec.m, 8),
            .big_endian = true};
  }
  if (format.starts_with("guava")) {
    return {.header = BigEndian(format == "guava-1", 1) + BigEndian(k, 1) + BigEndian(words, 4),
            .big_endian = true};
  }
  const bool v2 = format == "spark-v2";
  return {.header = BigEndian(v2 ? 2 : 1, 4) + BigEndian(k, 4) + (v2 ? BigEndian(0, 4) : "") +
                    BigEndian(words, 4),
          .big_endian = true};
}

// The bits of a key, from the definition.
std::vector<uint64_t> BitsOf(const Spec& spec, const std::string& key) {
  std::vector<uint64_t> bits;
  const KeyHash hash = HashOf(spec, key);
  if (spec.classic()) {
    VisitProbe(spec.probe, [&]<class P>(P) {
      typename P::template Walk<uint64_t> walk(hash.words, BitRange(spec.m));
      for (int i = 0; i < spec.k; ++i) bits.push_back(walk.Next());
    });
    return bits;
  }
  const Place place = Locate(hash.words[0], static_cast<uint32_t>(spec.blocks));
  for (int i = 0; i < kBlockWords; ++i) {
    bits.push_back(uint64_t{place.block} * 256 + 32 * static_cast<uint64_t>(i) +
                   BitBySalt<uint32_t>(place.low, Salt(i)));
  }
  return bits;
}

// Writes the words that have a bit of a key; what lies between stays a hole. Returns the last bit.
uint64_t WriteSparse(const std::string& path, const Plan& plan, const Layout& layout,
                     const std::vector<std::string>& keys) {
  const uint64_t bytes = plan.spec.bytes();
  WriteFile(path, layout.header);
  uint64_t frames = 0;
  for (uint64_t at = 0; layout.piece != UINT64_MAX && at < bytes; at += layout.piece) {
    const uint64_t length = std::min(layout.piece, bytes - at);
    const std::string frame = Frame(at + length + 1, length);
    testing::WriteAt(path, layout.header.size() + at + frames, std::as_bytes(std::span(frame)));
    frames += frame.size();
  }
  std::filesystem::resize_file(path, layout.header.size() + bytes + frames);
  std::map<uint64_t, uint64_t> words;
  for (const std::string& key : keys) {
    for (const uint64_t bit : BitsOf(plan.spec, key)) words[bit / 64] |= uint64_t{1} << bit % 64;
  }
  for (const auto& [index, word] : words) {
    const std::string raw = layout.big_endian ? BigEndian(word, 8) : LittleEndian(word, 8);
    const uint64_t before = frames == 0 ? 0 : (index * 8 / layout.piece + 1) * Frame(0, 0).size();
    testing::WriteAt(path, layout.header.size() + before + index * 8,
                     std::as_bytes(std::span(raw)));
  }
  return words.rbegin()->first * 64;
}

class LargeFormats : public ::testing::TestWithParam<Large> {};

TEST_P(LargeFormats, AnswerRightPastBit2To32) {
  const Plan plan = PlanOf(GetParam().format);
  ASSERT_GT(plan.spec.bits(), kBit32);
  std::vector<std::string> keys;
  for (uint64_t i = 0; i < kKeys; ++i) keys.push_back("key " + std::to_string(i));
  const TempDir dir;
  const uint64_t last = WriteSparse(dir / "f", plan, LayoutOf(GetParam().format, plan),
                                    {keys.begin(), keys.begin() + kMembers});
  EXPECT_EQ(last > kBit32, GetParam().past_2_32);

  const FilterFile file = LoadAny(dir / "f");
  EXPECT_EQ(file.format, GetParam().format);
  const auto& filter = std::get<Filter>(file.filter);
  EXPECT_EQ(filter.spec(), plan.spec);
  EXPECT_EQ(filter.inserted(), kMembers);  // told by the file, or by its bits
  const std::vector<std::string_view> views(keys.begin(), keys.end());
  for (const Engine& engine : {Engine({.threads = 1}), testing::ScalarEngine()}) {
    std::vector<uint8_t> answers(AnswerBytes(kKeys));
    EXPECT_EQ(engine.Contains(filter, Keys::Views(views), answers), kMembers);
    for (uint64_t i = 0; i < kKeys; ++i) {
      EXPECT_EQ(AnswerAt(answers.data(), i), i < kMembers) << keys[i];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, LargeFormats,
                         ::testing::Values(Large{"parquet"}, Large{"dcso"},
                                           Large{"spark-v1", false}, Large{"spark-v2"},
                                           Large{"guava-0", false}, Large{"guava-1"},
                                           Large{"redis"}, Large{"bits-and-blooms"}));

}  // namespace
}  // namespace tamis
