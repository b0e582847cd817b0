// How many records were lost: what LossMeter predicts against adding up the rate record by record.

#include "loss.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "samples.h"

namespace tamis::command {
namespace {

// The tolerance that these tests hold: a thousandth, or a tenth of a record.
void ExpectClose(double predicted, double true_loss) {
  EXPECT_NEAR(predicted, true_loss, 1e-3 * true_loss + 0.1);
}

// Distinct records one by one (they must not fill the filter whole), until `fresh` would have been
// called new; how many were lost then.
double LostOneByOne(const AnyFilter& filter, double distinct, double fresh) {
  double called_new = 0;
  double lost = 0;
  for (; called_new < fresh; ++distinct) {
    const double rate = RateAt(filter, distinct);
    called_new += 1 - rate;
    lost += rate;
  }
  return lost;
}

double Predicted(const AnyFilter& filter, const std::vector<uint64_t>& chunks) {
  LossMeter meter(filter);
  for (const uint64_t fresh : chunks) meter.Add(filter, fresh);
  return meter.Lost(filter);
}

std::vector<AnyFilter> FiltersFor(uint64_t keys, double fpr) {
  std::vector<AnyFilter> filters;
  for (const Variant variant : AllVariants()) {
    filters.emplace_back(Filter(PlanFor(keys, fpr, {.variant = variant})));
  }
  return filters;
}

TEST(LossMeter, OneChunkThatFillsTheWholePlan) {
  for (const double fpr : {0.1, 0.001}) {
    for (const AnyFilter& filter : FiltersFor(5'000, fpr)) {
      ExpectClose(Predicted(filter, {5'000}), LostOneByOne(filter, 0, 5'000));
    }
  }
}

TEST(LossMeter, OneChunkFarPastThePlan) {
  for (const AnyFilter& filter : FiltersFor(1'000, 0.01)) {
    for (const uint64_t fresh : {2'000, 2'500}) {
      const double lost = LostOneByOne(filter, 0, static_cast<double>(fresh));
      EXPECT_GT(lost, 0.02 * static_cast<double>(fresh));
      ExpectClose(Predicted(filter, {fresh}), lost);
    }
  }
}

TEST(LossMeter, SaysTheSameHoweverTheInputWasCut) {
  for (const AnyFilter& filter : FiltersFor(100'000, 0.01)) {
    const double at_once = Predicted(filter, {200'000});
    ExpectClose(Predicted(filter, std::vector<uint64_t>(1000, 200)), at_once);
    ExpectClose(Predicted(filter, {1, 150'000, 9, 49'990}), at_once);
  }
}

TEST(LossMeter, GoesOnFromWhatTheFilterHolds) {
  Filter filter(PlanFor(100'000, 0.01));
  filter.SetInserted(95'000);
  const AnyFilter any(std::move(filter));
  ExpectClose(Predicted(any, {10'000}), LostOneByOne(any, 95'000, 10'000));
}

TEST(LossMeter, EndsWhereNothingCanBeNewAnyMore) {
  const AnyFilter filter(Filter(PlanForBytes(64)));
  LossMeter meter(filter);
  meter.Add(filter, 100'000);  // more than could be called new
  const double lost = meter.Lost(filter);
  EXPECT_TRUE(std::isfinite(lost));
  EXPECT_GT(lost, 1e6);
}

// The prediction against what really happened: a filter filled to twice its plan.
TEST(LossMeter, PredictsWhatAFilterLoses) {
  constexpr uint64_t kKeys = 400'000;
  for (const Variant variant : AllVariants()) {
    AnyFilter filter(Filter(PlanFor(kKeys / 2, 0.01, {.variant = variant})));
    Engine engine;
    const uint64_t fresh = InsertNew(engine, filter, Keys::U64(DistinctKeys(kKeys, 1)));
    LossMeter meter(AnyFilter(Filter(std::get<Filter>(filter).plan())));
    meter.Add(filter, fresh);
    const auto lost = static_cast<double>(kKeys - fresh);
    // Each loss is by chance, and so is the fill of the blocks: Poisson's deviation, twice.
    EXPECT_NEAR(meter.Lost(filter), lost, 2 * kSigmas * std::sqrt(lost)) << NameOf(variant);
  }
}

}  // namespace
}  // namespace tamis::command
