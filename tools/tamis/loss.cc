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
    : distinct_(static_cast<double>(Inserted(filter))), price_(Price(filter, distinct_)) {}

void LossMeter::Add(const AnyFilter& filter, uint64_t fresh) {
  // The rate grows with the eighth power of the number of records: steps of a percent keep the
  // error of the straight line between two of them below a thousandth.
  constexpr double kStep = 0.01;
  constexpr double kFewest = 1000;
  pending_ += static_cast<double>(fresh);
  if (pending_ * price_ >= distinct_ * kStep + kFewest) Update(filter);
}

double LossMeter::Lost(const AnyFilter& filter) {
  if (pending_ > 0) Update(filter);
  return lost_;
}

void LossMeter::Update(const AnyFilter& filter) {
  const double price = Price(filter, distinct_ + pending_ * price_);
  const double mean = (price_ + price) / 2;
  distinct_ += pending_ * mean;
  lost_ += pending_ * (mean - 1);
  price_ = Price(filter, distinct_);
  pending_ = 0;
}

}  // namespace tamis::command
