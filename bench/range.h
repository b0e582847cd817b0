// The span of some values: what an axis has to show, or a title to say.
#ifndef TAMIS_BENCH_RANGE_H_
#define TAMIS_BENCH_RANGE_H_

#include <algorithm>
#include <limits>

namespace tamis::bench {

/// From the least to the greatest of the values added.
class Range {
 public:
  void Add(double value) {
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }
  bool empty() const { return low_ > high_; }
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
};

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_RANGE_H_
