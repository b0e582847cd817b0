// Where a value lies along an axis, and which values are worth a tick.
#ifndef TAMIS_BENCH_AXIS_H_
#define TAMIS_BENCH_AXIS_H_

#include <string>
#include <vector>

namespace tamis::bench {

enum class Scale {
  kLinear,  ///< from 0
  kCount,   ///< whole numbers, from the least one shown
  kLog10,   ///< ticks at 1, 2 and 5 times powers of ten
  kLog2,    ///< ticks at powers of two
};

struct Axis {
  std::string label;  ///< what is measured, and its unit
  Scale scale = Scale::kLinear;
  std::string (*format)(double) = nullptr;  ///< how a tick is written
};

/// The part of an axis that some values need, in round numbers.
class Ruler {
 public:
  /// For values from `low` to `high`; both above 0 on a logarithmic scale.
  Ruler(Scale scale, double low, double high);

  /// Whether the scale has a place for this value at all: it is a number, and above 0 where the
  /// scale is logarithmic.
  static bool Shows(Scale scale, double value);

  /// 0 at the low end, 1 at the high end.
  double Share(double value) const;
  const std::vector<double>& ticks() const { return ticks_; }
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  void SpanLinear(double high);
  void SpanCount(double low, double high);
  void SpanLog10(double low, double high);
  void SpanLog2(double low, double high);

  bool logarithmic_;
  double low_ = 0;
  double high_ = 1;
  std::vector<double> ticks_;
};

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_AXIS_H_
