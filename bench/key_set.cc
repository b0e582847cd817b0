#include "bench/key_set.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "tamis/error.h"

namespace tamis::bench {

namespace {

// Strings begin alike, as addresses do, and differ in 16 digits that end them.
constexpr std::string_view kBeginning =
    "https://www.example.org/a/rather/long/path/that/many/documents/share/"
    "with/each/other/because/a/site/has/one/shape/for/all/of/its/pages/"
    "and/only/the/end/of/the/address/tells/one/from/another?identifier=";
constexpr size_t kDigits = 16;

void WriteDigits(char* at, uint64_t number) {
  for (size_t i = 0; i < kDigits; ++i) {
    at[i] = "0123456789abcdef"[(number >> (4 * i)) & 15];
  }
}

}  // namespace

uint32_t KeyBytes(std::string_view kind) {
  constexpr std::array<uint32_t, std::size(kKeyKinds)> kBytes = {8, 16, 20, 60, 200};
  const auto* found = std::ranges::find(kKeyKinds, kind);
  if (found == std::end(kKeyKinds)) {
    throw InvalidArgument("unknown kind of keys '" + std::string(kind) + "'");
  }
  return kBytes[static_cast<size_t>(found - std::begin(kKeyKinds))];
}

KeySet::KeySet(std::string_view kind, uint64_t count) : bytes_(KeyBytes(kind)), count_(count) {
  if (bytes_ == 8) {
    words_.resize(count);
    return;
  }
  text_.resize(count * bytes_);
  if (kind == "bytes16") return;
  offsets_.resize(count + 1);
  for (uint64_t i = 0; i <= count; ++i) offsets_[i] = i * bytes_;
}

KeySet KeySet::Mixed(std::string_view kind, uint64_t count, uint64_t held, double hit_share,
                     uint64_t seed) {
  constexpr uint64_t kParts = 1 << 16;
  const auto hits = static_cast<uint64_t>(hit_share * static_cast<double>(kParts));
  return KeySet(kind, count, [&](uint64_t i) {
    const uint64_t random = Mix(seed * kForeign + i);
    if (random % kParts >= hits) return kForeign + seed * (kForeign >> 8) + i;
    return static_cast<uint64_t>((static_cast<__uint128_t>(random) * held) >> 64);
  });
}

void KeySet::PutBytes(uint64_t i, uint64_t number) {
  char* at = text_.data() + i * bytes_;
  if (offsets_.empty()) {
    const std::array<uint64_t, 2> words = {Mix(number), Mix(~number)};
    std::memcpy(at, words.data(), sizeof words);
    return;
  }
  const size_t begins = bytes_ - kDigits;
  std::memcpy(at, kBeginning.data(), begins);
  WriteDigits(at + begins, Mix(number));
}

Keys KeySet::keys() const {
  if (bytes_ == 8) return Keys::U64(words_);
  if (offsets_.empty()) return Keys::Fixed(std::as_bytes(std::span(text_)), bytes_);
  return Keys::Strings(std::span<const uint64_t>(offsets_), text_.data());
}

}  // namespace tamis::bench
