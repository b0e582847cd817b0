// From keys and a rate, bits a key, or bytes to a plan. The rates behind them: rates.cc.

#include "tamis/sizing.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

#include "tamis/schemes.h"

namespace tamis {

namespace {

constexpr double kTwo64 = 18446744073709551616.0;
constexpr double kMaxBitsPerKey = 10'000;
constexpr uint64_t kInteropBytes = uint64_t{128} << 20;  // Arrow C++ refuses larger bitsets

std::string Text(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.6g", value);
  return buffer;
}

// The Spec that options make, but for its size and a k that was left open.
Spec SpecOf(const PlanOptions& options) {
  Spec spec{.variant = options.variant,
            .hash = options.hash,
            .seed = options.seed,
            .k = options.k,
            .secret = options.secret};
  spec.probe = options.probe;
  if (spec.classic() && spec.probe == ProbeScheme::kNone) spec.probe = ProbeScheme::kEnhancedDouble;
  return spec;
}

Spec LargestSpec(const PlanOptions& options, int k) {
  Spec spec = SpecOf(options);
  spec.k = k;
  (spec.classic() ? spec.m : spec.blocks) = spec.classic() ? kMaxClassicBits : kMaxBlocks;
  return spec;
}

int UsualK(Variant variant) {
  return VisitVariant(variant, []<typename V>(V) { return V::kUsualK; });
}

// The rate of a hash's collisions alone.
double HashFloor(const Spec& spec, uint64_t keys) {
  int bits = 0;
  VisitHash(spec.hash, [&]<class H>(H) { bits = H::kBits; });
  return std::ldexp(static_cast<double>(keys), -bits);
}

[[noreturn]] void RefuseSize(double keys, double bits_per_key, const Spec& largest) {
  throw InvalidArgument(Text(keys) + " keys at " + Text(bits_per_key) + " bits a key need " +
                        Text(keys * bits_per_key / 8) + " bytes: the limit of " +
                        std::string(NameOf(largest.variant)) + " is " +
                        std::to_string(largest.bytes()) + " bytes");
}

// Says why not even the largest filter comes down to `fpr`: its size, the hash, or both.
[[noreturn]] void RefuseRate(uint64_t keys, double fpr, const Spec& largest) {
  const auto n = static_cast<double>(keys);
  const double bytes = n * BitsPerKeyFor(largest.variant, fpr, largest.k) / 8;
  std::string message = "false-positive rate " + Text(fpr) + " with " + std::to_string(keys) +
                        " keys: the limit of " + std::string(NameOf(largest.variant)) + ", " +
                        std::to_string(largest.bytes()) + " bytes, gives " +
                        Text(ExpectedFpr(largest, keys));
  if (bytes > static_cast<double>(largest.bytes())) message += ", " + Text(bytes) + " bytes needed";
  throw InvalidArgument(message + "; collisions of a 64-bit hash alone give " + Text(n / kTwo64));
}

// Rounds up to what Parquet writers and Arrow accept, or refuses.
void FitInterop(Spec& spec) {
  if (spec.variant != Variant::kSplitBlock || spec.hash != HashScheme::kXxh64 || spec.seed != 0) {
    throw InvalidArgument("interop filters are split_block by xxh64 with seed 0, not " +
                          std::string(NameOf(spec.variant)) + " by " +
                          std::string(NameOf(spec.hash)) + " with seed " +
                          std::to_string(spec.seed));
  }
  spec.blocks = std::bit_ceil(spec.blocks);
  if (spec.bytes() > kInteropBytes) {
    throw InvalidArgument("an interop filter of " + std::to_string(spec.bytes()) +
                          " bytes: the limit is " + std::to_string(kInteropBytes));
  }
}

Plan MakePlan(const Spec& spec, uint64_t keys, double fpr, const PlanOptions& options) {
  Plan plan{.spec = spec, .capacity = keys, .fpr = fpr};
  if (options.interop) FitInterop(plan.spec);
  Validate(plan.spec);
  return plan;
}

// As RedisBloom sizes its own, so that what grows here would grow alike there: with its constants
// for ln 2, whole words of bits, and k rounded up.
Plan PlanRedis(uint64_t keys, double fpr, const PlanOptions& options) {
  const double bits_per_key = -std::log(fpr) / 0.480453013918201;
  const double bits = static_cast<double>(keys) * bits_per_key;
  Spec spec = SpecOf(options);
  spec.k = std::min(static_cast<int>(std::ceil(0.693147180559945 * bits_per_key)), Classic::kMaxK);
  if (!(bits < static_cast<double>(kMaxClassicBits))) {
    RefuseSize(static_cast<double>(keys), bits_per_key, LargestSpec(options, spec.k));
  }
  const uint64_t whole = std::max<uint64_t>(1, static_cast<uint64_t>(bits));
  spec.m = (whole / 64 + (whole % 64 != 0)) * 64;
  return MakePlan(spec, keys, fpr, options);
}

// m and k by the textbook's formulas, unless k was asked for.
Plan PlanClassic(uint64_t keys, double fpr, const PlanOptions& options) {
  if (options.probe == ProbeScheme::kRedisDouble) return PlanRedis(keys, fpr, options);
  Spec spec = SpecOf(options);
  const ClassicSize size = ClassicSizeFor(keys, fpr);
  spec.m = size.bits;
  spec.k = std::min(size.hashes, Classic::kMaxK);
  if (options.k != 0 || size.hashes > Classic::kMaxK) {
    if (options.k != 0) spec.k = options.k;
    const double bits_per_key = BitsPerKeyFor(options.variant, fpr, spec.k);
    const double bits = std::ceil(static_cast<double>(keys) * bits_per_key);
    if (!(bits <= static_cast<double>(kMaxClassicBits))) {
      RefuseSize(static_cast<double>(keys), bits_per_key, LargestSpec(options, spec.k));
    }
    spec.m = std::max<uint64_t>(1, static_cast<uint64_t>(bits));
  }
  // The formulas know nothing of the hash's own collisions.
  constexpr double kMostOfIt = 0.1;
  if (HashFloor(spec, keys) > kMostOfIt * fpr) RefuseRate(keys, fpr, LargestSpec(options, spec.k));
  return MakePlan(spec, keys, fpr, options);
}

}  // namespace

Plan PlanFor(uint64_t keys, double fpr, const PlanOptions& options) {
  RequireRate(fpr);
  if (keys == 0) keys = 1;
  if (options.variant == Variant::kClassic) return PlanClassic(keys, fpr, options);
  Spec spec = LargestSpec(options, options.k != 0 ? options.k : BestKFor(options.variant, fpr));
  const auto rate = [&](uint64_t blocks) {
    spec.blocks = blocks;
    return ExpectedFpr(spec, keys);
  };
  if (rate(kMaxBlocks) > fpr) RefuseRate(keys, fpr, spec);
  uint64_t low = 0;  // too few
  uint64_t high = kMaxBlocks;
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    (rate(middle) > fpr ? low : high) = middle;
  }
  spec.blocks = high;
  return MakePlan(spec, keys, fpr, options);
}

Plan PlanForBitsPerKey(uint64_t keys, double bits_per_key, const PlanOptions& options) {
  if (!(bits_per_key > 0 && bits_per_key <= kMaxBitsPerKey)) {
    throw InvalidArgument("bits per key " + Text(bits_per_key) +
                          ": it must be more than 0, at most " + Text(kMaxBitsPerKey));
  }
  if (keys == 0) keys = 1;
  Spec spec = SpecOf(options);
  if (spec.k == 0) spec.k = BestKAtBitsPerKey(spec.variant, bits_per_key);
  const uint64_t unit = spec.classic() ? 1 : 8 * spec.block_bytes();  // bits
  const double units =
      std::ceil(static_cast<double>(keys) * bits_per_key / static_cast<double>(unit));
  if (units > static_cast<double>(spec.classic() ? kMaxClassicBits : kMaxBlocks)) {
    RefuseSize(static_cast<double>(keys), bits_per_key, LargestSpec(options, spec.k));
  }
  (spec.classic() ? spec.m : spec.blocks) = std::max<uint64_t>(1, static_cast<uint64_t>(units));
  Plan plan = MakePlan(spec, keys, 0, options);
  plan.fpr = ExpectedFpr(plan.spec, keys);
  return plan;
}

Plan PlanForBytes(uint64_t bytes, const PlanOptions& options) {
  Spec spec = SpecOf(options);
  if (spec.k == 0) spec.k = UsualK(spec.variant);
  const uint64_t unit = spec.block_bytes();
  const uint64_t most = spec.classic() ? kMaxClassicBits / 64 : kMaxBlocks;
  const uint64_t units = bytes / unit;
  if (units == 0 || units > most) {
    throw InvalidArgument("a filter of " + std::to_string(bytes) +
                          " bytes: " + std::string(NameOf(options.variant)) + " takes " +
                          std::to_string(unit) + " to " + std::to_string(most * unit));
  }
  if (spec.classic()) {
    spec.m = units * 64;
  } else {
    spec.blocks = options.interop ? std::bit_floor(units) : units;
  }
  return MakePlan(spec, 0, 0, options);
}

uint64_t CapacityFor(const Spec& spec, double fpr) {
  RequireRate(fpr);
  uint64_t least = 0;  // that many keys are right
  uint64_t most = 1;   // that many are too many
  while (ExpectedFpr(spec, most) <= fpr) {
    least = most;
    if (most > UINT64_MAX / 2) return most;
    most *= 2;
  }
  while (most - least > 1) {
    const uint64_t middle = least + (most - least) / 2;
    (ExpectedFpr(spec, middle) > fpr ? most : least) = middle;
  }
  return least;
}

ClassicSize ClassicSizeFor(uint64_t keys, double fpr) {
  RequireRate(fpr);
  constexpr double kLn2 = std::numbers::ln2;
  const double n = keys == 0 ? 1 : static_cast<double>(keys);
  const double bits = std::ceil(-n * std::log(fpr) / (kLn2 * kLn2));
  constexpr double kMaxBits = 9223372036854775808.0;  // 2^63
  if (bits > kMaxBits) {
    throw InvalidArgument(Text(n) + " keys at rate " + Text(fpr) + " need " + Text(bits / 8) +
                          " bytes: the limit is 2^60");
  }
  const double hashes = std::round(bits / n * kLn2);
  return {.bits = static_cast<uint64_t>(bits), .hashes = std::max(1, static_cast<int>(hashes))};
}

}  // namespace tamis
