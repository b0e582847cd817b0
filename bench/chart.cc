#include "bench/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "bench/range.h"

namespace tamis::bench {
namespace {

constexpr double kWidth = 460;
constexpr double kHeight = 300;

// The plot's edges.
constexpr double kLeft = 78;
constexpr double kRight = kWidth - 16;
constexpr double kTop = 24;
constexpr double kBottom = kHeight - 48;

std::string Swatch(const Series& series) {
  Svg svg(34, 14, "", "swatch");
  const std::vector<Point> line = {{1, 7}, {33, 7}};
  const std::string style = StyleClass(series.style);
  if (series.kind == Series::Kind::kReference) {
    svg.Polyline(line, "dashed " + style);
  } else if (series.kind == Series::Kind::kBars) {
    svg.Rect({14, 1}, 20, 12, "bar " + style);
  } else {
    if (series.kind == Series::Kind::kLine) svg.Polyline(line, style);
    svg.Marker({17, 7}, series.style);
  }
  return std::move(svg).Finish();
}

std::string Legend(const std::vector<Series>& series) {
  if (series.empty()) return "";
  std::string out = "<ul class=\"legend\">\n";
  for (const Series& one : series) {
    out += fmt::format("<li>{}<span>{}</span></li>\n", Swatch(one), Escape(one.name));
  }
  return out + "</ul>\n";
}

// Axes, and where they put a value in the picture.
struct Plane {
  Ruler x;
  Ruler y;

  Point At(Point value) const {
    return {kLeft + x.Share(value.x) * (kRight - kLeft),
            kBottom - y.Share(value.y) * (kBottom - kTop)};
  }
};

bool HasPlace(const LineChart& chart, Point value) {
  return Ruler::Shows(chart.x.scale, value.x) && Ruler::Shows(chart.y.scale, value.y);
}

std::optional<Plane> PlaneFor(const LineChart& chart) {
  Range x;
  Range y;
  for (const Series& series : chart.series) {
    for (const Point& value : series.values) {
      if (!HasPlace(chart, value)) continue;
      x.Add(value.x);
      y.Add(value.y);
    }
  }
  if (x.empty()) return std::nullopt;
  if (chart.same_range) {
    x.Add(y.low());
    x.Add(y.high());
    y = x;
  }
  return Plane{Ruler(chart.x.scale, x.low(), x.high()), Ruler(chart.y.scale, y.low(), y.high())};
}

void DrawAxes(const LineChart& chart, const Plane& plane, Svg& svg) {
  for (const double tick : plane.y.ticks()) {
    const double y = plane.At({plane.x.high(), tick}).y;
    svg.Line({kLeft, y}, {kRight, y}, "grid");
    svg.Text({kLeft - 7, y + 4}, chart.y.format(tick), Anchor::kEnd, "tick");
  }
  for (const double tick : plane.x.ticks()) {
    const double x = plane.At({tick, plane.y.high()}).x;
    svg.Line({x, kBottom}, {x, kBottom + 5}, "axis");
    svg.Text({x, kBottom + 19}, chart.x.format(tick), Anchor::kMiddle, "tick");
  }
  svg.Line({kLeft, kBottom}, {kRight, kBottom}, "axis");
  svg.Text({(kLeft + kRight) / 2, kHeight - 7}, chart.x.label, Anchor::kMiddle, "name");
  svg.TextUpwards({14, (kTop + kBottom) / 2}, chart.y.label, "name");
}

void DrawMarks(const LineChart& chart, const Plane& plane, Svg& svg) {
  for (const Mark& mark : chart.marks) {
    if (!(mark.x > plane.x.low() && mark.x < plane.x.high())) continue;
    const double x = plane.At({mark.x, plane.y.high()}).x;
    svg.Line({x, kTop}, {x, kBottom}, "mark");
    svg.Text({x, kTop - 8}, mark.name, Anchor::kMiddle, "tick");
  }
}

// A straight line between two values would be bent if one of those between has no place: the line
// is drawn through those that have.
void DrawSeries(const LineChart& chart, const Series& series, const Plane& plane, Svg& svg) {
  std::vector<Point> values;
  std::copy_if(series.values.begin(), series.values.end(), std::back_inserter(values),
               [&](Point value) { return HasPlace(chart, value); });
  if (values.empty()) return;
  std::vector<Point> places;
  places.reserve(values.size());
  for (const Point& value : values) places.push_back(plane.At(value));
  const std::string style = StyleClass(series.style);
  if (series.kind == Series::Kind::kReference) {
    // A limit known at one place only is drawn as a short dash there.
    if (places.size() == 1) {
      places = {{places[0].x - 14, places[0].y}, {places[0].x + 14, places[0].y}};
    }
    svg.Polyline(places, "dashed " + style);
    return;
  }
  if (series.kind == Series::Kind::kLine && places.size() > 1) svg.Polyline(places, style);
  for (size_t i = 0; i < places.size(); ++i) {
    svg.Marker(
        places[i], series.style,
        fmt::format("{}\n{}: {}\n{}: {}", series.name, chart.x.label, chart.x.format(values[i].x),
                    chart.y.label, chart.y.format(values[i].y)));
  }
}

// Bars: the picture's right part holds the columns beside.
constexpr double kColumn = 74;
constexpr double kLabelled = 44;  // height of a bar with a label above
constexpr double kJoined = 18;    // and of one without
constexpr double kBarHeight = 15;
constexpr double kBarsTop = 20;
constexpr double kTextWidth = 58;  // of what stands at a bar's end
constexpr size_t kLabelLength = 58;

// Cut where a longer text would leave the picture; not inside a character of UTF-8.
std::string Shortened(const std::string& text) {
  if (text.size() <= kLabelLength) return text;
  size_t length = kLabelLength - 1;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) --length;
  return text.substr(0, length) + "\xe2\x80\xa6";
}

// Texts in columns that end at the picture's right edge.
void DrawColumns(const std::vector<std::string>& texts, double y, const char* classes, Svg& svg) {
  double right = kWidth - kColumn * static_cast<double>(texts.size());
  for (const std::string& text : texts) {
    right += kColumn;
    svg.Text({right, y}, text, Anchor::kEnd, classes);
  }
}

void DrawBarAxis(const BarChart& chart, const Ruler& ruler, double width, double bottom, Svg& svg) {
  // Bars are read by their numbers; a tick at every other value is enough for the eye.
  for (size_t i = 0; i < ruler.ticks().size(); i += 2) {
    const double x = 1 + ruler.Share(ruler.ticks()[i]) * width;
    svg.Line({x, kBarsTop + 8}, {x, bottom}, "grid");
    svg.Text({x, bottom + 15}, chart.value.format(ruler.ticks()[i]),
             i == 0 ? Anchor::kStart : Anchor::kMiddle, "tick");
  }
  svg.Text({1, bottom + 33}, chart.value.label, Anchor::kStart, "name");
  DrawColumns(chart.beside_heads, 13, "name", svg);
}

}  // namespace

std::string Draw(const LineChart& chart) {
  const std::optional<Plane> plane = PlaneFor(chart);
  if (!plane) return "";
  Svg svg(kWidth, kHeight, chart.title);
  DrawAxes(chart, *plane, svg);
  DrawMarks(chart, *plane, svg);
  // References first: what was measured stands in front of what it is compared with.
  for (const bool reference : {true, false}) {
    for (const Series& series : chart.series) {
      if ((series.kind == Series::Kind::kReference) == reference) {
        DrawSeries(chart, series, *plane, svg);
      }
    }
  }
  return std::move(svg).Finish() + Legend(chart.series);
}

std::string Draw(const BarChart& chart) {
  if (chart.bars.empty()) return "";
  double highest = 0;
  double bottom = kBarsTop;
  for (const Bar& bar : chart.bars) {
    if (Ruler::Shows(chart.value.scale, bar.value)) highest = std::max(highest, bar.value);
    bottom += bar.label.empty() ? kJoined : kLabelled;
  }
  bottom += 8;
  const Ruler ruler(Scale::kLinear, 0, highest);
  const double columns = kColumn * static_cast<double>(chart.beside_heads.size());
  const double width = kWidth - columns - kTextWidth;
  Svg svg(kWidth, bottom + 42, chart.title);
  DrawBarAxis(chart, ruler, width, bottom, svg);
  double y = kBarsTop;
  for (const Bar& bar : chart.bars) {
    if (!bar.label.empty())
      svg.Text({1, y + kLabelled - kBarHeight - 5}, Shortened(bar.label), Anchor::kStart, "label");
    y += bar.label.empty() ? kJoined : kLabelled;
    const bool shown = Ruler::Shows(chart.value.scale, bar.value) && bar.value > 0;
    const double length = shown ? std::max(1.0, ruler.Share(bar.value) * width) : 0;
    const double text_y = y - kBarHeight + 12;
    svg.Rect({1, y - kBarHeight}, length, kBarHeight, "bar " + StyleClass(bar.style), bar.label);
    svg.Text({length + 7, text_y}, bar.text, Anchor::kStart, "value");
    DrawColumns(bar.beside, text_y, "value", svg);
  }
  return std::move(svg).Finish() + Legend(chart.legend);
}

}  // namespace tamis::bench
