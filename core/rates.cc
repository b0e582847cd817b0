// False-positive rates: of a filter of known size, and the bits a key that a rate takes.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

#include "tamis/schemes.h"
#include "tamis/sizing.h"

namespace tamis {

namespace {

constexpr double kTwo32 = 4294967296.0;

std::string Text(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.6g", value);
  return buffer;
}

// A block's size and bits a key, for the theory.
struct Shape {
  int bits;   // of a block
  int words;  // in each of which a key has one bit; 1 if its bits lie anywhere in the block
  int k;

  double RateAt(double keys) const { return words > 1 ? SplitRate(keys) : OpenRate(keys); }

 private:
  // `keys` bits thrown into each word; the foreign key meets each word alone.
  double SplitRate(double keys) const {
    return std::pow(-std::expm1(keys * std::log1p(-static_cast<double>(words) / bits)), k);
  }

  // keys * k bits thrown into the block, k more looked at: the mean of the k-th power of its fill.
  // Fills vary, which raises that mean; a normal fill's moments stand in for the true ones.
  double OpenRate(double keys) const {
    const double b = bits;
    const double clear = std::exp(keys * k * std::log1p(-1 / b));       // one given bit
    const double both_clear = std::exp(keys * k * std::log1p(-2 / b));  // two given bits
    const double fill = 1 - clear;
    if (fill <= 0) return 0;
    const double variance = (clear + (b - 1) * both_clear) / b - clear * clear;
    const double spread = std::max(0.0, variance) / (fill * fill);
    return std::min(1.0, std::pow(fill, k) * std::exp(k * (k - 1) / 2.0 * spread));
  }
};

Shape ShapeOf(Variant variant, int k) {
  return VisitVariant(variant, [&]<typename V>(V) -> Shape {
    if constexpr (V::kBlocked) {
      constexpr int kBits = V::kWords * 8 * sizeof(typename V::Word);
      return {.bits = kBits, .words = V::kMinK == V::kMaxK ? V::kWords : 1, .k = k};
    }
    throw InvalidArgument("a classic filter has no blocks");
  });
}

// Rate of foreign keys in blocks that hold a Poisson(load) number of keys. Sums outwards from the
// mean, where the weights are largest, until they no longer count.
double PoissonFpr(const Shape& shape, double load) {
  constexpr double kSaturated = 8192;  // past it, 1 to double precision
  if (load <= 0) return 0;
  if (load >= kSaturated) return 1;
  const double mode = std::floor(load);
  int sign = 0;  // lgamma_r rather than lgamma, which writes a global
  const double top = std::exp(mode * std::log(load) - load - lgamma_r(mode + 1, &sign));
  constexpr double kNegligible = 1e-20;
  double sum = top * shape.RateAt(mode);
  double weight = top;
  for (double j = mode; j > 0 && weight > kNegligible; --j) {
    weight *= j / load;
    sum += weight * shape.RateAt(j - 1);
  }
  weight = top;
  for (double j = mode + 1; weight > kNegligible; ++j) {
    weight *= load / j;
    sum += weight * shape.RateAt(j);
  }
  return sum;
}

// The same with the floor: a foreign key whose block and low half are those of a key inside.
double BlockFpr(const Shape& shape, double load) {
  const double rate = PoissonFpr(shape, load);
  return std::fmin(1.0, rate + (1 - rate) * load / kTwo32);
}

double BlockedFpr(const Spec& spec, double keys) {
  // 2^32 hash values over z blocks: some blocks get q of them, `more` blocks get q + 1.
  constexpr uint64_t kValues = uint64_t{1} << 32;
  const uint64_t q = kValues / spec.blocks;
  const uint64_t more = kValues % spec.blocks;
  const Shape shape = ShapeOf(spec.variant, spec.k);
  const double share_more = static_cast<double>(more) * static_cast<double>(q + 1) / kTwo32;
  double rate = (1 - share_more) * BlockFpr(shape, keys * static_cast<double>(q) / kTwo32);
  if (more != 0) rate += share_more * BlockFpr(shape, keys * static_cast<double>(q + 1) / kTwo32);
  return rate;
}

// The textbook's formula, what the variance of the fill adds to it, and the floor.
double ClassicSpecFpr(const Spec& spec, double keys) {
  const double load = spec.k * keys / static_cast<double>(spec.m);
  const double clear = std::exp(-load);
  const double fill = -std::expm1(-load);
  if (fill <= 0) return 0;
  const double variance = clear * (1 - (1 + load) * clear) / static_cast<double>(spec.m);
  const double spread = std::max(0.0, variance) / (fill * fill);
  const double rate =
      std::fmin(1.0, std::pow(fill, spec.k) * std::exp(spec.k * (spec.k - 1) / 2.0 * spread));
  int bits = 0;
  VisitHash(spec.hash, [&]<class H>(H) { bits = H::kBits; });
  return std::fmin(1.0, rate + (1 - rate) * std::ldexp(keys, -bits));
}

void RequireBitsPerKey(double bits_per_key) {
  if (bits_per_key > 0) return;
  throw InvalidArgument("bits per key " + Text(bits_per_key) + ": it must be more than 0");
}

double LargeFpr(Variant variant, double bits_per_key, int k) {
  if (variant == Variant::kClassic) return std::pow(-std::expm1(-k / bits_per_key), k);
  const Shape shape = ShapeOf(variant, k);
  return PoissonFpr(shape, shape.bits / bits_per_key);
}

double LargeBitsPerKey(Variant variant, double fpr, int k) {
  if (variant == Variant::kClassic) return -k / std::log1p(-std::pow(fpr, 1.0 / k));
  double low = 1e-3;
  double high = 1;
  while (LargeFpr(variant, high, k) > fpr) high *= 2;
  while (high - low > 1e-9 * high) {
    const double middle = (low + high) / 2;
    (LargeFpr(variant, middle, k) > fpr ? low : high) = middle;
  }
  return high;
}

// The k, of those a variant can have, for which f(k) is least. f falls, then rises.
template <typename F>
int BestK(Variant variant, F&& f) {
  return VisitVariant(variant, [&]<typename V>(V) {
    int best = V::kMinK;
    double least = V::kMinK == V::kMaxK ? 0 : f(best);
    for (int k = V::kMinK + 1; k <= V::kMaxK; ++k) {
      const double value = f(k);
      if (value >= least) break;
      least = value;
      best = k;
    }
    return best;
  });
}

}  // namespace

void RequireRate(double fpr) {
  if (!(fpr > 0 && fpr < 1)) {
    throw InvalidArgument("false-positive rate " + Text(fpr) + ": it must lie between 0 and 1");
  }
}

double ExpectedFpr(const Spec& spec, uint64_t keys) {
  Validate(spec);
  const auto n = static_cast<double>(keys);
  return spec.classic() ? ClassicSpecFpr(spec, n) : BlockedFpr(spec, n);
}

double FprAtBitsPerKey(Variant variant, double bits_per_key, int k) {
  RequireBitsPerKey(bits_per_key);
  if (k == 0) k = BestKAtBitsPerKey(variant, bits_per_key);
  return LargeFpr(variant, bits_per_key, k);
}

double BitsPerKeyFor(Variant variant, double fpr, int k) {
  RequireRate(fpr);
  if (k == 0) k = BestKFor(variant, fpr);
  return LargeBitsPerKey(variant, fpr, k);
}

int BestKAtBitsPerKey(Variant variant, double bits_per_key) {
  RequireBitsPerKey(bits_per_key);
  return BestK(variant, [&](int k) { return LargeFpr(variant, bits_per_key, k); });
}

int BestKFor(Variant variant, double fpr) {
  RequireRate(fpr);
  return BestK(variant, [&](int k) { return LargeBitsPerKey(variant, fpr, k); });
}

double ClassicFpr(uint64_t keys, uint64_t bits, int hashes) {
  if (bits == 0 || hashes < 1) {
    throw InvalidArgument("a classic filter of " + std::to_string(bits) + " bits and " +
                          std::to_string(hashes) + " hashes: both must be at least 1");
  }
  const double load =
      static_cast<double>(hashes) * static_cast<double>(keys) / static_cast<double>(bits);
  return std::pow(-std::expm1(-load), hashes);
}

}  // namespace tamis
