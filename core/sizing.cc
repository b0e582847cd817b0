#include "tamis/sizing.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

namespace tamis {

namespace {

constexpr double kTwo32 = 4294967296.0;
constexpr double kMaxBitsPerKey = 10'000;
constexpr uint64_t kInteropBytes = uint64_t{128} << 20;  // Arrow C++ refuses larger bitsets

std::string Text(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.6g", value);
  return buffer;
}

int WordBits(Variant variant) {
  return VisitVariant(variant, []<typename V>(V) { return int{8 * sizeof(typename V::Word)}; });
}

// Rate of foreign keys in blocks that hold a Poisson(load) number of keys. Sums outwards from the
// mean, where the weights are largest, until they no longer count.
double PoissonFpr(int word_bits, double load) {
  constexpr double kSaturated = 8192;  // past it, 1 to double precision
  if (load <= 0) return 0;
  if (load >= kSaturated) return 1;
  const double log_clear = std::log1p(-1.0 / word_bits);
  const auto rate = [&](double keys) {
    return std::pow(-std::expm1(keys * log_clear), kBlockWords);
  };
  const double mode = std::floor(load);
  int sign = 0;  // lgamma_r rather than lgamma, which writes a global
  const double top = std::exp(mode * std::log(load) - load - lgamma_r(mode + 1, &sign));
  constexpr double kNegligible = 1e-20;
  double sum = top * rate(mode);
  double weight = top;
  for (double j = mode; j > 0 && weight > kNegligible; --j) {
    weight *= j / load;
    sum += weight * rate(j - 1);
  }
  weight = top;
  for (double j = mode + 1; weight > kNegligible; ++j) {
    weight *= load / j;
    sum += weight * rate(j);
  }
  return sum;
}

// The same with the floor: a foreign key whose block and low half are those of a key inside.
double BlockFpr(int word_bits, double load) {
  const double rate = PoissonFpr(word_bits, load);
  return std::fmin(1.0, rate + (1 - rate) * load / kTwo32);
}

Spec LargestSpec(Variant variant) { return {.variant = variant, .blocks = kMaxBlocks}; }

[[noreturn]] void RefuseSize(double keys, double bits_per_key, const Spec& largest) {
  throw InvalidArgument(Text(keys) + " keys at " + Text(bits_per_key) + " bits a key need " +
                        Text(keys * bits_per_key / 8) + " bytes: the limit of " +
                        std::string(NameOf(largest.variant)) + " is " +
                        std::to_string(largest.bytes()) + " bytes");
}

// Says why not even the largest filter comes down to `fpr`: its size, the hash, or both.
[[noreturn]] void RefuseRate(uint64_t keys, double fpr, const Spec& largest) {
  const auto n = static_cast<double>(keys);
  const double bytes = n * BitsPerKeyFor(largest.variant, fpr) / 8;
  std::string message = "false-positive rate " + Text(fpr) + " with " + std::to_string(keys) +
                        " keys: the limit of " + std::string(NameOf(largest.variant)) + ", " +
                        std::to_string(largest.bytes()) + " bytes, gives " +
                        Text(ExpectedFpr(largest, keys));
  if (bytes > static_cast<double>(largest.bytes())) message += ", " + Text(bytes) + " bytes needed";
  throw InvalidArgument(message + "; collisions of a 64-bit hash alone give " +
                        Text(n / kTwo32 / kTwo32));
}

// Rounds up to what Parquet writers and Arrow accept, or refuses.
void FitInterop(Spec& spec) {
  if (spec.variant != Variant::kSplitBlock || spec.seed != 0) {
    throw InvalidArgument("interop filters are split_block with seed 0, not " +
                          std::string(NameOf(spec.variant)) + " with seed " +
                          std::to_string(spec.seed));
  }
  spec.blocks = std::bit_ceil(spec.blocks);
  if (spec.bytes() > kInteropBytes) {
    throw InvalidArgument("an interop filter of " + std::to_string(spec.bytes()) +
                          " bytes: the limit is " + std::to_string(kInteropBytes));
  }
}

Plan MakePlan(uint64_t blocks, uint64_t keys, double fpr, const PlanOptions& options) {
  Plan plan{.spec = {.variant = options.variant, .seed = options.seed, .blocks = blocks},
            .capacity = keys,
            .fpr = fpr};
  if (options.interop) FitInterop(plan.spec);
  return plan;
}

}  // namespace

void RequireRate(double fpr) {
  if (!(fpr > 0 && fpr < 1)) {
    throw InvalidArgument("false-positive rate " + Text(fpr) + ": it must lie between 0 and 1");
  }
}

double ExpectedFpr(const Spec& spec, uint64_t keys) {
  Validate(spec);
  // 2^32 hash values over z blocks: some blocks get q of them, `more` blocks get q + 1.
  constexpr uint64_t kValues = uint64_t{1} << 32;
  const uint64_t q = kValues / spec.blocks;
  const uint64_t more = kValues % spec.blocks;
  const auto n = static_cast<double>(keys);
  const int word_bits = WordBits(spec.variant);
  const double share_more = static_cast<double>(more) * static_cast<double>(q + 1) / kTwo32;
  double rate = (1 - share_more) * BlockFpr(word_bits, n * static_cast<double>(q) / kTwo32);
  if (more != 0) rate += share_more * BlockFpr(word_bits, n * static_cast<double>(q + 1) / kTwo32);
  return rate;
}

double FprAtBitsPerKey(Variant variant, double bits_per_key) {
  if (!(bits_per_key > 0)) {
    throw InvalidArgument("bits per key " + Text(bits_per_key) + ": it must be more than 0");
  }
  const int word_bits = WordBits(variant);
  return PoissonFpr(word_bits, kBlockWords * word_bits / bits_per_key);
}

double BitsPerKeyFor(Variant variant, double fpr) {
  RequireRate(fpr);
  double low = 1e-3;
  double high = 1;
  while (FprAtBitsPerKey(variant, high) > fpr) high *= 2;
  while (high - low > 1e-9 * high) {
    const double middle = (low + high) / 2;
    (FprAtBitsPerKey(variant, middle) > fpr ? low : high) = middle;
  }
  return high;
}

Plan PlanFor(uint64_t keys, double fpr, const PlanOptions& options) {
  RequireRate(fpr);
  if (keys == 0) keys = 1;
  const auto rate = [&](uint64_t blocks) {
    return ExpectedFpr({.variant = options.variant, .blocks = blocks}, keys);
  };
  if (rate(kMaxBlocks) > fpr) RefuseRate(keys, fpr, LargestSpec(options.variant));
  uint64_t low = 0;  // too few
  uint64_t high = kMaxBlocks;
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    (rate(middle) > fpr ? low : high) = middle;
  }
  return MakePlan(high, keys, fpr, options);
}

Plan PlanForBitsPerKey(uint64_t keys, double bits_per_key, const PlanOptions& options) {
  if (!(bits_per_key > 0 && bits_per_key <= kMaxBitsPerKey)) {
    throw InvalidArgument("bits per key " + Text(bits_per_key) +
                          ": it must be more than 0, at most " + Text(kMaxBitsPerKey));
  }
  if (keys == 0) keys = 1;
  const int block_bits = kBlockWords * WordBits(options.variant);
  const double blocks = std::ceil(static_cast<double>(keys) * bits_per_key / block_bits);
  if (blocks > static_cast<double>(kMaxBlocks)) {
    RefuseSize(static_cast<double>(keys), bits_per_key, LargestSpec(options.variant));
  }
  Plan plan = MakePlan(std::max<uint64_t>(1, static_cast<uint64_t>(blocks)), keys, 0, options);
  plan.fpr = ExpectedFpr(plan.spec, keys);
  return plan;
}

Plan PlanForBytes(uint64_t bytes, const PlanOptions& options) {
  const uint64_t block_bytes = Spec{.variant = options.variant}.block_bytes();
  const uint64_t blocks = bytes / block_bytes;
  if (blocks == 0 || blocks > kMaxBlocks) {
    throw InvalidArgument("a filter of " + std::to_string(bytes) +
                          " bytes: " + std::string(NameOf(options.variant)) + " takes " +
                          std::to_string(block_bytes) + " to " +
                          std::to_string(kMaxBlocks * block_bytes));
  }
  return MakePlan(options.interop ? std::bit_floor(blocks) : blocks, 0, 0, options);
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
