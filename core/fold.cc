// Which factors there are, and what the plan becomes: the first half. The second half moves bits.

#include "tamis/fold.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "fold_bits.h"
#include "tamis/schemes.h"

namespace tamis {

namespace {

// What has to be divided.
uint64_t SizeOf(const Spec& spec) { return spec.classic() ? spec.m : spec.blocks; }

std::string Text(double rate) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.3g", rate);
  return buffer;
}

Spec FoldedSpec(Spec spec, uint64_t factor) {
  (spec.classic() ? spec.m : spec.blocks) /= factor;
  return spec;
}

std::string SizeText(const Spec& spec) {
  return std::to_string(SizeOf(spec)) + (spec.classic() ? " bits" : " blocks");
}

[[noreturn]] void RefuseFactor(const Spec& spec, uint64_t factor) {
  constexpr size_t kMost = 12;
  const std::vector<uint64_t> factors = FoldFactors(spec);
  std::string message = "a filter of " + SizeText(spec) + " cannot be folded by " +
                        std::to_string(factor) + ": that must divide it exactly, as ";
  if (factors.empty()) message += "no number does";
  for (size_t i = 0; i < std::min(kMost, factors.size()); ++i) {
    if (i != 0) message += ", ";
    message += std::to_string(factors[i]);
  }
  if (factors.size() > kMost) {
    message += " and " + std::to_string(factors.size() - kMost) + " larger numbers do";
  } else if (!factors.empty()) {
    message += factors.size() == 1 ? " does" : " do";
  }
  throw InvalidArgument(message);
}

}  // namespace

std::vector<uint64_t> FoldFactors(const Spec& spec) {
  Validate(spec);
  const uint64_t size = SizeOf(spec);
  std::vector<uint64_t> factors;
  if (size == 1) return factors;
  factors.push_back(size);
  for (uint64_t d = 2; d <= size / d; ++d) {
    if (size % d != 0) continue;
    factors.push_back(d);
    if (d != size / d) factors.push_back(size / d);
  }
  std::sort(factors.begin(), factors.end());
  return factors;
}

Plan FoldedPlan(const Plan& plan, uint64_t factor, double fpr) {
  Validate(plan.spec);
  if (fpr != 0) RequireRate(fpr);
  if (factor == 0 || SizeOf(plan.spec) % factor != 0) RefuseFactor(plan.spec, factor);
  Plan folded{.spec = FoldedSpec(plan.spec, factor), .fpr = fpr == 0 ? plan.fpr : fpr};
  if (fpr == 0 && factor == 1) return plan;
  if (fpr == 0 && plan.capacity == 0) return folded;  // made by size alone
  folded.capacity = CapacityFor(folded.spec, folded.fpr);
  if (folded.capacity == 0) {  // not one key keeps the promise: make the least that can be kept
    folded.capacity = 1;
    folded.fpr = ExpectedFpr(folded.spec, 1);
  }
  return folded;
}

uint64_t FoldFactorFor(const Spec& spec, uint64_t keys, double fpr) {
  RequireRate(fpr);
  const double now = ExpectedFpr(spec, keys);
  if (now > fpr) {
    throw InvalidArgument("a filter of " + SizeText(spec) + " with " + std::to_string(keys) +
                          " keys has an expected rate of " + Text(now) + ": above " + Text(fpr) +
                          " before it is folded");
  }
  const std::vector<uint64_t> factors = FoldFactors(spec);
  const auto first_above = std::partition_point(
      factors.begin(), factors.end(),
      [&](uint64_t factor) { return ExpectedFpr(FoldedSpec(spec, factor), keys) <= fpr; });
  return first_above == factors.begin() ? 1 : *(first_above - 1);
}

Plan HalvablePlan(const Plan& plan) {
  constexpr uint64_t kMultiple = 64;
  constexpr uint64_t kShare = 1000;
  Plan rounded = plan;
  uint64_t& size = rounded.spec.classic() ? rounded.spec.m : rounded.spec.blocks;
  const uint64_t most = rounded.spec.classic() ? kMaxClassicBits : kMaxBlocks;
  const uint64_t added = (kMultiple - size % kMultiple) % kMultiple;
  if (size >= kMultiple * kShare && added <= most - size) size += added;
  return rounded;
}

Filter Fold(const Filter& filter, uint64_t factor, double fpr) {
  Filter folded(FoldedPlan(filter.plan(), factor, fpr));
  folded.SetInserted(filter.inserted());
  const Spec& spec = folded.spec();
  VisitVariant(spec.variant, [&]<typename V>(V) {
    using Word = typename V::Word;
    const auto* from = reinterpret_cast<const Word*>(filter.bytes().data());
    auto* to = reinterpret_cast<Word*>(folded.mutable_data());
    if constexpr (V::kBlocked) {
      FoldBlocks<Word, V::kWords>(from, to, spec.blocks, factor);
    } else {
      VisitProbe(spec.probe, [&]<class P>(P) {
        (P::kModulo ? FoldRemainders : FoldNeighbours)(from, to, spec.m, factor);
      });
    }
  });
  return folded;
}

}  // namespace tamis
