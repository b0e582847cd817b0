// Five to eight ticks: enough to read a value between them, few enough that labels never touch on
// the narrow charts that a phone shows.
#include "bench/axis.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>

namespace tamis::bench {
namespace {

constexpr int kMostTicks = 7;

bool IsLogarithmic(Scale scale) { return scale == Scale::kLog10 || scale == Scale::kLog2; }

// The least of 1, 2, 5, 10, 20, ... times a power of ten that is not below `value`.
double RoundUp(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * power >= value * (1 - 1e-9)) return digit * power;
  }
  return 10 * power;
}

double RoundDown(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  double best = power;
  for (const double digit : {2.0, 5.0, 10.0}) {
    if (digit * power <= value * (1 + 1e-9)) best = digit * power;
  }
  return best;
}

// 1, 2 and 5 times powers of ten, or only the powers, or every other of them: the most that fit.
std::vector<double> DecadeTicks(double low, double high) {
  const int first = static_cast<int>(std::floor(std::log10(low) + 1e-9));
  const int last = static_cast<int>(std::ceil(std::log10(high) - 1e-9));
  std::vector<double> ticks;
  const auto collect = [&](std::initializer_list<double> digits, int stride) {
    ticks.clear();
    for (int power = first; power <= last; power += stride) {
      for (const double digit : digits) {
        const double tick = digit * std::pow(10, power);
        if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) ticks.push_back(tick);
      }
    }
  };
  collect({1, 2, 5}, 1);
  for (int stride = 1; ticks.size() > kMostTicks; ++stride) collect({1}, stride);
  return ticks;
}

}  // namespace

Ruler::Ruler(Scale scale, double low, double high) : logarithmic_(IsLogarithmic(scale)) {
  switch (scale) {
    case Scale::kLinear:
      SpanLinear(high);
      break;
    case Scale::kCount:
      SpanCount(low, high);
      break;
    case Scale::kLog10:
      SpanLog10(low, high);
      break;
    case Scale::kLog2:
      SpanLog2(low, high);
      break;
  }
}

bool Ruler::Shows(Scale scale, double value) {
  return std::isfinite(value) && (value > 0 || !IsLogarithmic(scale));
}

double Ruler::Share(double value) const {
  if (logarithmic_) return std::log(value / low_) / std::log(high_ / low_);
  return (value - low_) / (high_ - low_);
}

void Ruler::SpanLinear(double high) {
  if (high <= 0) high = 1;
  const double step = RoundUp(high / (kMostTicks - 1));
  low_ = 0;
  high_ = step * std::ceil(high / step - 1e-9);
  const auto count = static_cast<int>(std::lround(high_ / step));
  for (int i = 0; i <= count; ++i) ticks_.push_back(i * step);
}

void Ruler::SpanCount(double low, double high) {
  const double step = std::max(1.0, RoundUp(std::max(1.0, high - low) / (kMostTicks - 1)));
  // Room at both ends, so that a lone count stands in the middle and marks clear the axis.
  const double margin = std::max(0.08 * (high - low), high > low ? 0 : 0.5);
  low_ = low - margin;
  high_ = high + margin;
  const auto last = static_cast<int64_t>(std::floor(high / step));
  for (auto i = static_cast<int64_t>(std::ceil(low / step)); i <= last; ++i) {
    ticks_.push_back(static_cast<double>(i) * step);
  }
  if (ticks_.empty() || ticks_.front() - low > 0.4 * step) ticks_.insert(ticks_.begin(), low);
}

void Ruler::SpanLog10(double low, double high) {
  low_ = RoundDown(low);
  high_ = RoundUp(high);
  if (high_ <= low_ * (1 + 1e-9)) {
    low_ = RoundDown(low_ * 0.6);
    high_ = RoundUp(high_ * 1.5);
  }
  ticks_ = DecadeTicks(low_, high_);
}

void Ruler::SpanLog2(double low, double high) {
  const double margin = std::max(1.2, std::pow(high / low, 0.04));
  low_ = low / margin;
  high_ = high * margin;
  const int first = static_cast<int>(std::ceil(std::log2(low_) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log2(high_) + 1e-9));
  const int stride = std::max(1, (last - first + kMostTicks - 1) / (kMostTicks - 1));
  for (int power = first; power <= last; power += stride) ticks_.push_back(std::exp2(power));
  // Values that all lie between two powers get themselves for a tick.
  if (ticks_.empty()) ticks_.push_back(high);
}

}  // namespace tamis::bench
