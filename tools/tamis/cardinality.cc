#include "cardinality.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

namespace tamis::command {

namespace {

constexpr int kRest = 64 - CardinalityCounter::kPrecision;  // bits of a hash behind the register's

// Ertl's corrections for registers that are empty, and for those that are full.
double Sigma(double x) {
  if (x == 1) return std::numeric_limits<double>::infinity();
  double sum = x;
  for (double before = -1, factor = 1; sum != before; factor *= 2) {
    x *= x;
    before = sum;
    sum += x * factor;
  }
  return sum;
}

double Tau(double x) {
  if (x == 0 || x == 1) return 0;
  double sum = 1 - x;
  double factor = 1;
  for (double before = -1; sum != before;) {
    x = std::sqrt(x);
    before = sum;
    factor /= 2;
    sum -= (1 - x) * (1 - x) * factor;
  }
  return sum / 3;
}

}  // namespace

void CardinalityCounter::Add(std::span<const uint64_t> hashes) {
  for (const uint64_t hash : hashes) {
    const uint64_t rest = hash << kPrecision;
    const int run = std::min(std::countl_zero(rest), kRest) + 1;
    uint8_t& longest = registers_[hash >> kRest];
    longest = std::max(longest, static_cast<uint8_t>(run));
  }
}

double CardinalityCounter::Estimate() const {
  std::array<double, kRest + 2> count = {};
  for (const uint8_t longest : registers_) ++count[longest];
  const auto registers = static_cast<double>(registers_.size());
  double sum = registers * Tau(1 - count[kRest + 1] / registers);
  for (size_t k = kRest; k >= 1; --k) sum = (sum + count[k]) / 2;
  sum += registers * Sigma(count[0] / registers);
  return registers * registers / (2 * std::numbers::ln2 * sum);
}

}  // namespace tamis::command
