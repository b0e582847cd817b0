#include "format.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <ctime>
#include <system_error>
#include <utility>

#include "tamis/error.h"

namespace tamis::command {

namespace {

struct Suffix {
  std::string_view text;
  uint64_t factor;
};

constexpr std::array<Suffix, 6> kCounts = {{
    {"k", 1'000},
    {"K", 1'000},
    {"M", 1'000'000},
    {"G", 1'000'000'000},
    {"T", 1'000'000'000'000},
    {"", 1},
}};
constexpr std::array<Suffix, 4> kBinary = {{
    {"Ki", uint64_t{1} << 10},
    {"Mi", uint64_t{1} << 20},
    {"Gi", uint64_t{1} << 30},
    {"Ti", uint64_t{1} << 40},
}};

[[noreturn]] void Refuse(std::string_view option, std::string_view text, std::string_view valid) {
  throw InvalidArgument(fmt::format("{} {}: it must be {}", option, text, valid));
}

// The number at the beginning, and what follows it.
std::pair<double, std::string_view> Split(std::string_view option, std::string_view text,
                                          std::string_view valid) {
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) Refuse(option, text, valid);
  return {value, text.substr(static_cast<size_t>(rest - text.data()))};
}

// Whole numbers beyond 2^53 are exact when written in digits alone.
uint64_t Whole(std::string_view option, std::string_view text, double value, uint64_t factor,
               std::string_view valid) {
  uint64_t digits = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), digits);
  if (error == std::errc() && rest == text.data() + text.size()) return digits;
  const double product = value * static_cast<double>(factor);
  constexpr double kLimit = 18446744073709551616.0;  // 2^64
  if (!(product >= 0 && product < kLimit) || product != std::floor(product)) {
    Refuse(option, text, valid);
  }
  return static_cast<uint64_t>(product);
}

}  // namespace

uint64_t ParseCount(std::string_view option, std::string_view text) {
  constexpr std::string_view kValid =
      "a whole number below 2^64, such as 5000, 10M or 1.5G (k, M, G, T: powers of 1000)";
  const auto [value, rest] = Split(option, text, kValid);
  for (const Suffix& suffix : kCounts) {
    if (rest == suffix.text) return Whole(option, text, value, suffix.factor, kValid);
  }
  Refuse(option, text, kValid);
}

uint64_t ParseBytes(std::string_view option, std::string_view text) {
  constexpr std::string_view kValid =
      "a whole number of bytes below 2^64, such as 64M (10^6) or 64MiB (2^20)";
  auto [value, rest] = Split(option, text, kValid);
  if (rest.ends_with('B')) rest.remove_suffix(1);
  for (const Suffix& suffix : kCounts) {
    if (rest == suffix.text) return Whole(option, text, value, suffix.factor, kValid);
  }
  for (const Suffix& suffix : kBinary) {
    if (rest == suffix.text) return Whole(option, text, value, suffix.factor, kValid);
  }
  Refuse(option, text, kValid);
}

double ParseRate(std::string_view option, std::string_view text) {
  constexpr std::string_view kValid = "a rate between 0 and 1, such as 0.001 or 0.1%";
  auto [value, rest] = Split(option, text, kValid);
  if (rest == "%") {
    value /= 100;
  } else if (!rest.empty()) {
    Refuse(option, text, kValid);
  }
  if (!(value > 0 && value < 1)) Refuse(option, text, kValid);
  return value;
}

double ParseNumber(std::string_view option, std::string_view text) {
  constexpr std::string_view kValid = "a number";
  const auto [value, rest] = Split(option, text, kValid);
  if (!rest.empty() || !std::isfinite(value)) Refuse(option, text, kValid);
  return value;
}

double ParseSeconds(std::string_view option, std::string_view text) {
  constexpr std::string_view kValid = "a time such as 90s, 10m, 12h or 7d";
  constexpr std::array<std::pair<std::string_view, double>, 4> kUnits = {
      {{"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}}};
  const auto [value, rest] = Split(option, text, kValid);
  for (const auto& [unit, seconds] : kUnits) {
    if (rest == unit && value > 0 && std::isfinite(value)) return value * seconds;
  }
  Refuse(option, text, kValid);
}

uint64_t ParseTime(std::string_view option, const std::string& text) {
  constexpr std::string_view kValid =
      "a time such as 2024-01-01, 2024-01-01T12:30:00Z, or seconds since 1970";
  uint64_t seconds = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, seconds);
  if (error == std::errc() && rest == end) return seconds;
  for (const char* form : {"%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d"}) {
    std::tm time{};
    const char* parsed = strptime(text.c_str(), form, &time);
    if (parsed == nullptr || *parsed != '\0') continue;
    const std::time_t since = timegm(&time);
    if (since >= 0) return static_cast<uint64_t>(since);
  }
  Refuse(option, text, kValid);
}

std::string TimeText(uint64_t unix_seconds) {
  constexpr uint64_t kEndOfYear9999 = 253'402'300'799;
  if (unix_seconds > kEndOfYear9999) return std::to_string(unix_seconds);
  const auto time = static_cast<std::time_t>(unix_seconds);
  std::tm parts{};
  gmtime_r(&time, &parts);
  std::array<char, sizeof "2024-01-01T00:00:00Z"> buffer;
  std::strftime(buffer.data(), buffer.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return buffer.data();
}

std::string ByteText(uint64_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} bytes", bytes) : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string OneLine(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      line += fmt::format("\\x{:02x}", byte);
    } else {
      line += c;
    }
  }
  return line;
}

}  // namespace tamis::command
