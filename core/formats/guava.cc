// Guava's filters (com.google.common.hash.BloomFilter.writeTo), big-endian:
//
//   i8 strategy (0 or 1), u8 k, i32 longs, the longs
//
// How an object became bytes (the funnel) is not in the file: bytes, text in UTF-8 or UTF-16, or a
// number in little-endian bytes; who asks must know.

#include <cmath>
#include <numbers>

#include "checker.h"
#include "formats/words.h"
#include "tamis/error.h"

namespace tamis {

namespace {

constexpr uint64_t kHeader = 6;
constexpr uint64_t kMostLongs = INT32_MAX;

struct Strategy {
  uint8_t ordinal;
  std::string_view name;
  ProbeScheme probe;
};
constexpr Strategy kStrategy0 = {0, "guava-0", ProbeScheme::kPair32};
constexpr Strategy kStrategy1 = {1, "guava-1", ProbeScheme::kGuavaMitz64};

template <const Strategy& kStrategy>
bool Recognises(const Head& head) {
  const auto longs = head.Number<uint32_t>(2, std::endian::big);
  return head.Number<uint8_t>(0, std::endian::big) == kStrategy.ordinal &&
         head.Number<uint8_t>(1, std::endian::big) >= 1 && longs >= 1 &&
         head.file_size() == kHeader + 8 * uint64_t{longs};
}

template <const Strategy& kStrategy>
FilterFile Read(const InputFile& file, LoadMode /*mode*/) {
  const Head head(file);
  const Checker check(file.path());
  const uint64_t ordinal = head.Number<uint8_t>(0, std::endian::big);
  const uint64_t k = head.Number<uint8_t>(1, std::endian::big);
  const uint64_t longs = head.Number<uint32_t>(2, std::endian::big);
  check(ordinal == kStrategy.ordinal, "strategy", ordinal, Text(uint64_t{kStrategy.ordinal}));
  check(k >= 1 && k <= Classic::kMaxK, "k", k, "1 to 64");
  check(longs >= 1 && longs <= kMostLongs, "longs", longs, "1 to 2^31 - 1");
  return ReadWordsToEnd(file, kHeader,
                        {.variant = Variant::kClassic,
                         .hash = HashScheme::kMurmur3X64128,
                         .m = 64 * longs,
                         .k = static_cast<int>(k),
                         .probe = kStrategy.probe});
}

template <const Strategy& kStrategy>
void Write(const FilterFile& file, const std::string& path) {
  const Filter& filter = SingleFilter(file, kStrategy.name);
  const Spec& spec = filter.spec();
  RequireHolds(spec.hash == HashScheme::kMurmur3X64128 && spec.probe == kStrategy.probe &&
                   spec.seed == 0 && spec.m % 64 == 0 && spec.m / 64 <= kMostLongs,
               spec, kStrategy.name,
               "classic filters by murmur3_x64_128, seed 0, and its own probe, of whole longs");
  std::string header = BigEndian(kStrategy.ordinal) + BigEndian(static_cast<uint8_t>(spec.k));
  WriteWords(filter, header + BigEndian(static_cast<uint32_t>(spec.m / 64)), path);
}

// As Guava's create: m by the usual formula, rounded down, then up to a whole long; k rounded.
template <const Strategy& kStrategy>
Plan PlanGuava(uint64_t keys, double fpr, uint64_t seed) {
  RequireNoSeed(seed, kStrategy.name);
  constexpr double kLn2 = std::numbers::ln2;
  const auto n = static_cast<double>(keys);
  const double bits = std::fmax(1, std::floor(-n * std::log(fpr) / (kLn2 * kLn2)));
  const double k = std::fmax(1, std::round(bits / n * kLn2));
  return {.spec = ForeignSpec(64 * std::ceil(bits / 64), k, HashScheme::kMurmur3X64128,
                              kStrategy.probe),
          .capacity = keys,
          .fpr = fpr};
}

template <const Strategy& kStrategy>
constexpr Format FormatOf(std::string_view about) {
  return {.name = kStrategy.name,
          .about = about,
          .says = {},
          .recognises = Recognises<kStrategy>,
          .read = Read<kStrategy>,
          .write = Write<kStrategy>,
          .plan = PlanGuava<kStrategy>};
}

}  // namespace

const Format& Guava0Format() {
  static constexpr Format kFormat =
      FormatOf<kStrategy0>("Guava's BloomFilter by its first strategy, MURMUR128_MITZ_32");
  return kFormat;
}
const Format& Guava1Format() {
  static constexpr Format kFormat =
      FormatOf<kStrategy1>("the same by the strategy it uses now, MURMUR128_MITZ_64");
  return kFormat;
}

}  // namespace tamis
