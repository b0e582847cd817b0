#include "loss.h"

#include <algorithm>
#include <cmath>

namespace tamis::command {

namespace {

struct Point {
  double distinct;
  double rate;
};

Point At(const AnyFilter& filter, double distinct) {
  constexpr double kMost = 1 - 1e-6;  // beyond, nothing can be said
  return {distinct, std::min(RateAt(filter, distinct), kMost)};
}

// Records lost of those between `a` and `b`, by Simpson's rule.
double Simpson(const Point& a, const Point& middle, const Point& b) {
  return (b.distinct - a.distinct) / 6 * (a.rate + 4 * middle.rate + b.rate);
}

// The same, cut in halves until two steps agree with one.
double Halved(const AnyFilter& filter, const Point& a, const Point& middle, const Point& b,
              double whole, int depth) {
  constexpr double kShare = 1e-4;  // errors allowed: of the result, and in records
  constexpr double kRecords = 1e-3;
  const Point left = At(filter, (a.distinct + middle.distinct) / 2);
  const Point right = At(filter, (middle.distinct + b.distinct) / 2);
  const double first = Simpson(a, left, middle);
  const double second = Simpson(middle, right, b);
  const double correction = (first + second - whole) / 15;
  if (depth == 0 || std::fabs(correction) <= kShare * (first + second) + kRecords) {
    return first + second + correction;
  }
  return Halved(filter, a, left, middle, first, depth - 1) +
         Halved(filter, middle, right, b, second, depth - 1);
}

double LostBetween(const AnyFilter& filter, const Point& a, const Point& b) {
  constexpr double kRecords = 0.01;
  constexpr int kDepth = 16;
  const double width = b.distinct - a.distinct;
  // The rate does not fall but where a window forgets, so a straight line is off by no more than
  // this: the usual case.
  if (width * (b.rate - a.rate) <= kRecords) return width * (a.rate + b.rate) / 2;
  const Point middle = At(filter, (a.distinct + b.distinct) / 2);
  return Halved(filter, a, middle, b, Simpson(a, middle, b), kDepth);
}

}  // namespace

LossMeter::LossMeter(const AnyFilter& filter)
    : state_{.distinct = static_cast<double>(Inserted(filter))} {
  state_.rate = At(filter, state_.distinct).rate;
}

void LossMeter::Add(const AnyFilter& filter, uint64_t fresh) {
  constexpr double kStep = 0.02;  // so fresh the terminal's line is kept
  constexpr double kFewest = 1000;
  state_.pending += static_cast<double>(fresh);
  if (state_.pending / (1 - state_.rate) >= state_.distinct * kStep + kFewest) Update(filter);
}

double LossMeter::Lost(const AnyFilter& filter) {
  Update(filter);
  return state_.lost;
}

// At the rate of now, `pending` records called new would be pending / (1 - rate) distinct ones. The
// rate rises on the way there, so that is not enough to account for all of them: what is left goes
// the same way again.
void LossMeter::Update(const AnyFilter& filter) {
  constexpr double kNone = 0.01;
  while (state_.pending > kNone) {
    const Point from{state_.distinct, state_.rate};
    const Point to = At(filter, from.distinct + state_.pending / (1 - from.rate));
    const double lost = LostBetween(filter, from, to);
    state_.distinct = to.distinct;
    state_.rate = to.rate;
    state_.lost += lost;
    state_.pending -= to.distinct - from.distinct - lost;
  }
  state_.pending = std::max(state_.pending, 0.0);  // rounding may have gone a little too far
}

}  // namespace tamis::command
