#include "bench/report_text.h"

#include <fmt/format.h>

#include <cmath>
#include <initializer_list>

namespace tamis::bench {
namespace {

constexpr const char* kDash = "\xe2\x80\x93";

// In the largest unit that leaves at least 1.
std::string Scaled(double value, double step, std::initializer_list<const char*> units) {
  const auto* unit = units.begin();
  // 999.6 would be written as 1000: it belongs to the next unit.
  while (value >= step * 0.9995 && unit + 1 != units.end()) {
    value /= step;
    ++unit;
  }
  const std::string number =
      value >= 99.95 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
  return **unit == '\0' ? number : number + " " + *unit;
}

}  // namespace

std::string Number(double value) {
  if (!std::isfinite(value)) return kDash;
  if (std::abs(value) >= 99.95 && std::abs(value) < 1e7) return fmt::format("{:.0f}", value);
  return fmt::format("{:.3g}", value);
}

std::string Percent(double share) { return Number(100 * share) + " %"; }

std::string Bytes(double bytes) {
  return std::isfinite(bytes) ? Scaled(bytes, 1024, {"B", "KiB", "MiB", "GiB", "TiB"}) : kDash;
}

std::string Count(uint64_t count) {
  return Scaled(static_cast<double>(count), 1000, {"", "k", "M", "G"});
}

std::string Plural(uint64_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string NumberOrDash(double value) { return value == 0 ? kDash : Number(value); }

std::string PercentOrDash(double share) { return share == 0 ? kDash : Percent(share); }

std::string Words(const Range& range) {
  const std::string low = Number(range.low());
  const std::string high = Number(range.high());
  return low == high ? low : low + " to " + high;
}

std::string OpName(const std::string& op) {
  std::string name;
  bool capital = true;
  for (const char c : op) {
    const bool letter = c >= 'a' && c <= 'z';
    if (c != '_') name += capital && letter ? static_cast<char>(c - 'a' + 'A') : c;
    capital = c == '_';
  }
  return name;
}

}  // namespace tamis::bench
