// Pictures as text: escaping, and the few shapes of SVG that charts are drawn with. Nothing here
// knows what a chart is. Colours are left to the page's style sheet, by class, so that one picture
// does for a light page, a dark one and paper.
#ifndef TAMIS_BENCH_SVG_H_
#define TAMIS_BENCH_SVG_H_

#include <span>
#include <string>
#include <string_view>

namespace tamis::bench {

/// Text as it may stand in HTML or SVG, between tags or in a quoted attribute. Control characters,
/// which neither allows, become U+FFFD.
std::string Escape(std::string_view text);

/// A place in a picture; y grows downwards.
struct Point {
  double x = 0;
  double y = 0;
};

enum class Anchor { kStart, kMiddle, kEnd };

/// Styles that look different are this many; further ones repeat them with dashed lines.
inline constexpr int kStyles = 8;

/// Class names of a style: its colour, and its dashes where colours have run out. Style -1 is that
/// of things to compare with: neutral and dashed.
std::string StyleClass(int style);

/// One picture. `classes` are those of the style sheet; a `tip` is what a pointer over the shape
/// shows, and is left out where empty. Texts and tips are escaped here.
class Svg {
 public:
  /// A picture that scales as its class says; `label` says in words what it shows. One without a
  /// label is decoration, which a screen reader skips.
  Svg(double width, double height, std::string_view label, std::string_view classes = "chart");

  void Line(Point from, Point to, std::string_view classes);
  void Polyline(std::span<const Point> points, std::string_view classes);
  void Rect(Point corner, double width, double height, std::string_view classes,
            std::string_view tip = "");
  void Text(Point at, std::string_view text, Anchor anchor, std::string_view classes = "");
  /// Text that reads upwards, its middle at `at`.
  void TextUpwards(Point at, std::string_view text, std::string_view classes = "");
  /// The shape that belongs to a style, so that colour is never all that tells lines apart.
  void Marker(Point at, int style, std::string_view tip = "");

  /// The whole element. Nothing may be drawn afterwards.
  std::string Finish() &&;

 private:
  void Close(std::string_view element, std::string_view tip);

  std::string text_;
};

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_SVG_H_
