// Apache Spark's filters (org.apache.spark.util.sketch.BloomFilter), big-endian:
//
//   V1:  i32 1, i32 k,           i32 words, the words
//   V2:  i32 2, i32 k, i32 seed, i32 words, the words
//
// Spark's filters have whole words of bits. V1's positions are 31 bits wide, and so reach the first
// 2^31 bits only.

#include <cmath>
#include <numbers>

#include "checker.h"
#include "formats/words.h"
#include "tamis/error.h"

namespace tamis {

namespace {

constexpr uint64_t kMostWords = INT32_MAX;

struct Version {
  uint32_t number;
  std::string_view name;
  ProbeScheme probe;
  uint64_t header_bytes;
  uint64_t words_at;
};
constexpr Version kV1 = {1, "spark-v1", ProbeScheme::kPair32, 12, 8};
constexpr Version kV2 = {2, "spark-v2", ProbeScheme::kSparkV2, 16, 12};

template <const Version& kVersion>
bool Recognises(const Head& head) {
  const auto words = head.Number<uint32_t>(kVersion.words_at, std::endian::big);
  return head.Number<uint32_t>(0, std::endian::big) == kVersion.number && words >= 1 &&
         head.file_size() == kVersion.header_bytes + 8 * uint64_t{words};
}

template <const Version& kVersion>
FilterFile Read(const InputFile& file, LoadMode /*mode*/) {
  const Head head(file);
  const Checker check(file.path());
  const uint64_t version = head.Number<uint32_t>(0, std::endian::big);
  const uint64_t k = head.Number<uint32_t>(4, std::endian::big);
  const uint64_t words = head.Number<uint32_t>(kVersion.words_at, std::endian::big);
  check(version == kVersion.number, "version", version, Text(uint64_t{kVersion.number}));
  check(k >= 1 && k <= Classic::kMaxK, "k", k, "1 to 64");
  check(words >= 1 && words <= kMostWords, "words", words, "1 to 2^31 - 1");
  const uint64_t seed = kVersion.number == 2 ? head.Number<uint32_t>(8, std::endian::big) : 0;
  return ReadWordsToEnd(file, kVersion.header_bytes,
                        {.variant = Variant::kClassic,
                         .hash = HashScheme::kSparkMurmur3,
                         .seed = seed,
                         .m = 64 * words,
                         .k = static_cast<int>(k),
                         .probe = kVersion.probe});
}

template <const Version& kVersion>
void Write(const FilterFile& file, const std::string& path) {
  const Filter& filter = SingleFilter(file, kVersion.name);
  const Spec& spec = filter.spec();
  RequireHolds(spec.hash == HashScheme::kSparkMurmur3 && spec.probe == kVersion.probe &&
                   (kVersion.number == 2 || spec.seed == 0) && spec.m % 64 == 0 &&
                   spec.m / 64 <= kMostWords,
               spec, kVersion.name,
               "classic filters by spark_murmur3 and its own probe, of whole words of 64 bits" +
                   std::string(kVersion.number == 2 ? "" : ", without a seed"));
  std::string header = BigEndian(kVersion.number) + BigEndian(static_cast<uint32_t>(spec.k));
  if (kVersion.number == 2) header += BigEndian(static_cast<uint32_t>(spec.seed));
  WriteWords(filter, header + BigEndian(static_cast<uint32_t>(spec.m / 64)), path);
}

// As Spark's create: m by the usual formula, rounded down, then up to a whole word; k rounded.
template <const Version& kVersion>
Plan PlanSpark(uint64_t keys, double fpr, uint64_t seed) {
  if (kVersion.number == 1) RequireNoSeed(seed, kVersion.name);
  constexpr double kLn2 = std::numbers::ln2;
  const auto n = static_cast<double>(keys);
  const double bits = std::fmax(1, std::floor(-n * std::log(fpr) / (kLn2 * kLn2)));
  const double k = std::fmax(1, std::round(bits / n * kLn2));
  Spec spec = ForeignSpec(64 * std::ceil(bits / 64), k, HashScheme::kSparkMurmur3, kVersion.probe);
  spec.seed = seed;
  return {.spec = spec, .capacity = keys, .fpr = fpr};
}

template <const Version& kVersion>
constexpr Format FormatOf(std::string_view about) {
  return {.name = kVersion.name,
          .about = about,
          .says = {},
          .recognises = Recognises<kVersion>,
          .read = Read<kVersion>,
          .write = Write<kVersion>,
          .plan = PlanSpark<kVersion>};
}

}  // namespace

const Format& SparkV1Format() {
  static constexpr Format kFormat = FormatOf<kV1>("Apache Spark's sketch.BloomFilter, version 1");
  return kFormat;
}
const Format& SparkV2Format() {
  static constexpr Format kFormat =
      FormatOf<kV2>("the same, version 2, which has a seed and reaches past 2^31 bits");
  return kFormat;
}

}  // namespace tamis
