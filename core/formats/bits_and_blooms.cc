// The Go library bits-and-blooms/bloom (WriteTo), big-endian:
//
//   u64 m, u64 k, u64 length of the bit set (m again), ceil(length / 64) words

#include <cmath>
#include <numbers>

#include "checker.h"
#include "formats/words.h"
#include "tamis/error.h"

namespace tamis {

namespace {

constexpr uint64_t kHeader = 24;
constexpr std::string_view kName = "bits-and-blooms";

bool Recognises(const Head& head) {
  const auto m = head.Number<uint64_t>(0, std::endian::big);
  const auto k = head.Number<uint64_t>(8, std::endian::big);
  return m >= 1 && m <= kMaxClassicBits && k >= 1 && k <= Classic::kMaxK &&
         head.file_size() == kHeader + (m / 64 + (m % 64 != 0)) * 8;
}

FilterFile Read(const InputFile& file, LoadMode /*mode*/) {
  const Head head(file);
  const Checker check(file.path());
  const auto m = head.Number<uint64_t>(0, std::endian::big);
  const auto k = head.Number<uint64_t>(8, std::endian::big);
  const auto length = head.Number<uint64_t>(16, std::endian::big);
  check(m >= 1 && m <= kMaxClassicBits, "m", m, "1 to 2^63");
  check(k >= 1 && k <= Classic::kMaxK, "k", k, "1 to 64");
  check(length == m, "length of the bit set", length, Text(m) + ", which is m");
  return ReadWordsToEnd(file, kHeader,
                        {.variant = Variant::kClassic,
                         .hash = HashScheme::kBitsAndBlooms,
                         .m = m,
                         .k = static_cast<int>(k),
                         .probe = ProbeScheme::kBitsAndBlooms});
}

void Write(const FilterFile& file, const std::string& path) {
  const Filter& filter = SingleFilter(file, kName);
  const Spec& spec = filter.spec();
  RequireHolds(spec.hash == HashScheme::kBitsAndBlooms && spec.probe == ProbeScheme::kBitsAndBlooms,
               spec, kName, "classic filters by bits_and_blooms");
  WriteWords(filter,
             BigEndian(spec.m) + BigEndian(static_cast<uint64_t>(spec.k)) + BigEndian(spec.m),
             path);
}

// As NewWithEstimates: both rounded up.
Plan PlanGo(uint64_t keys, double fpr, uint64_t seed) {
  RequireNoSeed(seed, kName);
  constexpr double kLn2 = std::numbers::ln2;
  const auto n = static_cast<double>(keys);
  const double m = std::ceil(-n * std::log(fpr) / (kLn2 * kLn2));
  return {.spec = ForeignSpec(m, std::ceil(kLn2 * m / n), HashScheme::kBitsAndBlooms,
                              ProbeScheme::kBitsAndBlooms),
          .capacity = keys,
          .fpr = fpr};
}

}  // namespace

const Format& BitsAndBloomsFormat() {
  static constexpr Format kFormat = {
      .name = kName,
      .about = "the Go library bits-and-blooms/bloom (once willf/bloom)",
      .says = {},
      .recognises = Recognises,
      .read = Read,
      .write = Write,
      .plan = PlanGo,
  };
  return kFormat;
}

}  // namespace tamis
