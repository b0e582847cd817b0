#include "bench/noise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "bench/limits.h"
#include "bench/timing.h"

namespace tamis::bench {

namespace {

constexpr uint64_t kBytes = uint64_t{64} << 20;
constexpr uint64_t kReads = uint64_t{1} << 18;
constexpr double kNoisy = 0.1;
constexpr double kVeryNoisy = 0.3;

}  // namespace

NoiseProbe::NoiseProbe() : storage_(Storage::Zeroed(kBytes)) {
  std::memset(storage_.data(), 1, kBytes);  // untouched pages would all be one
}

void NoiseProbe::Sample() {
  const Blocks blocks{storage_.data(), kBytes / 32, 32};
  volatile uint64_t sink = 0;
  seconds_.push_back(ThreadSeconds([&] {
    sink = sink + RandomAccesses(blocks, Access::kRead, kReads, {128, 2}, 1);
  }));
}

double NoiseProbe::Spread() const {
  if (seconds_.size() < 5) return 0;
  std::vector<double> sorted = seconds_;
  std::ranges::sort(sorted);
  const auto at = [&](size_t percent) { return sorted[(sorted.size() - 1) * percent / 100]; };
  return (at(90) - at(10)) / at(50);
}

std::string NoiseProbe::Words(double spread) {
  const std::string measured =
      fmt::format("one fixed piece of work varied by {:.0f} %", 100 * spread);
  if (spread < kNoisy) return "The machine was quiet: " + measured + " over the run.";
  if (spread < kVeryNoisy) {
    return "The machine was noisy: " + measured +
           " over the run. Compare shares of the limit, measured in turns, rather than speeds.";
  }
  return "The machine was very noisy: " + measured +
         " over the run. Other work ran beside this one; do not quote these figures.";
}

}  // namespace tamis::bench
