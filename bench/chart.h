// Charts, as SVG that stands in the page: lines or points over two axes, and bars with columns of
// text beside. They are drawn narrow, so that letters stay legible where a phone shrinks them;
// names of lines stand in a legend of HTML below, which wraps as the page needs.
#ifndef TAMIS_BENCH_CHART_H_
#define TAMIS_BENCH_CHART_H_

#include <string>
#include <vector>

#include "bench/axis.h"
#include "bench/svg.h"

namespace tamis::bench {

struct Series {
  enum class Kind {
    kLine,       ///< with a marker at each value
    kPoints,     ///< markers only
    kBars,       ///< for the legend of a bar chart
    kReference,  ///< a dashed line without markers, to compare with
  };
  std::string name;
  std::vector<Point> values;  ///< what has no place on an axis (NaN; 0 on a log scale) is left out
  int style = 0;              ///< -1: neutral
  Kind kind = Kind::kLine;
};

/// A value of x worth knowing, such as a cache's size: a faint line across, its name on top.
struct Mark {
  double x = 0;
  std::string name;
};

struct LineChart {
  std::string title;
  Axis x;
  Axis y;
  std::vector<Series> series;
  std::vector<Mark> marks;
  bool same_range = false;  ///< both axes from and to the same values, as for y = x
};

/// The picture and its legend; empty if no series has a value to show.
std::string Draw(const LineChart& chart);

struct Bar {
  std::string label;  ///< on a line above; if empty, the bar joins the one before
  double value = 0;
  std::string text;                 ///< at the bar's end
  std::vector<std::string> beside;  ///< columns at the right
  int style = 0;
};

struct BarChart {
  std::string title;
  Axis value;
  std::vector<std::string> beside_heads;
  std::vector<Bar> bars;
  std::vector<Series> legend;  ///< names and styles only
};

/// The picture and its legend; empty if there are no bars.
std::string Draw(const BarChart& chart);

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_CHART_H_
