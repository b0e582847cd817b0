#include "loss.h"

#include <cmath>

namespace tamis::command {

namespace {

double Price(const AnyFilter& filter, double distinct) {
  constexpr double kLeast = 1e-6;  // of records still called new: beyond, nothing can be said
  return 1 / std::fmax(1 - RateAt(filter, distinct), kLeast);
}

}  // namespace

LossMeter::LossMeter(const AnyFilter& filter)
    : state_{.distinct = static_cast<double>(Inserted(filter))} {
  state_.price = Price(filter, state_.distinct);
}

void LossMeter::Add(const AnyFilter& filter, uint64_t fresh) {
  // The rate grows with the eighth power of the number of records: steps of a percent keep the
  // error of the straight line between two of them below a thousandth.
  constexpr double kStep = 0.01;
  constexpr double kFewest = 1000;
  state_.pending += static_cast<double>(fresh);
  if (state_.pending * state_.price >= state_.distinct * kStep + kFewest) Update(filter);
}

double LossMeter::Lost(const AnyFilter& filter) {
  if (state_.pending > 0) Update(filter);
  return state_.lost;
}

void LossMeter::Update(const AnyFilter& filter) {
  const double price = Price(filter, state_.distinct + state_.pending * state_.price);
  const double mean = (state_.price + price) / 2;
  state_.distinct += state_.pending * mean;
  state_.lost += state_.pending * (mean - 1);
  state_.price = Price(filter, state_.distinct);
  state_.pending = 0;
}

}  // namespace tamis::command
