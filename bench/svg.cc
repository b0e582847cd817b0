// Coordinates are written to a tenth of a unit: finer than a pixel, and the file stays small.
#include "bench/svg.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

namespace tamis::bench {
namespace {

// Around 0, 0, about 9 units across; by area, not by height, so that none looks more important.
constexpr std::array<const char*, kStyles> kShapes = {
    "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z",                                 // disc
    "M-3.6,-3.6h7.2v7.2h-7.2z",                                            // square
    "M0,-4.8L4.6,3.4H-4.6z",                                               // triangle
    "M0,-5.2L4.6,0L0,5.2L-4.6,0z",                                         // diamond
    "M0,4.8L4.6,-3.4H-4.6z",                                               // triangle, downwards
    "M-1.5,-4.8h3v3.3h3.3v3h-3.3v3.3h-3v-3.3h-3.3v-3h3.3z",                // plus
    "M0,-5L4.8,-1.5L2.9,4.1H-2.9L-4.8,-1.5z",                              // pentagon
    "M-4.4,-2.3L-2.3,-4.4L0,-2.1L2.3,-4.4L4.4,-2.3L2.1,0L4.4,2.3L2.3,4.4"  // cross
    "L0,2.1L-2.3,4.4L-4.4,2.3L-2.1,0z"};

const char* AnchorName(Anchor anchor) {
  switch (anchor) {
    case Anchor::kMiddle:
      return "middle";
    case Anchor::kEnd:
      return "end";
    default:
      return "start";
  }
}

}  // namespace

std::string Escape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default: {
        const auto code = static_cast<unsigned char>(c);
        const bool control = (code < 0x20 && c != '\n' && c != '\t') || code == 0x7f;
        control ? out += "\xef\xbf\xbd" : out += c;
      }
    }
  }
  return out;
}

std::string StyleClass(int style) {
  if (style < 0) return "ref";
  const int round = style / kStyles;
  return round == 0 ? fmt::format("s{}", style)
                    : fmt::format("s{} d{}", style % kStyles, (round - 1) % 2 + 1);
}

Svg::Svg(double width, double height, std::string_view label, std::string_view classes)
    : text_(
          fmt::format(R"(<svg class="{}" viewBox="0 0 {:.0f} {:.0f}" )", classes, width, height)) {
  text_ += label.empty() ? R"(aria-hidden="true">)"
                         : fmt::format(R"(role="img" aria-label="{}">)", Escape(label));
}

void Svg::Line(Point from, Point to, std::string_view classes) {
  fmt::format_to(std::back_inserter(text_),
                 "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n",
                 from.x, from.y, to.x, to.y, classes);
}

void Svg::Polyline(std::span<const Point> points, std::string_view classes) {
  text_ += "<polyline points=\"";
  for (const Point& point : points) {
    fmt::format_to(std::back_inserter(text_), "{:.1f},{:.1f} ", point.x, point.y);
  }
  if (!points.empty()) text_.pop_back();
  fmt::format_to(std::back_inserter(text_), "\" class=\"line {}\"/>\n", classes);
}

void Svg::Rect(Point corner, double width, double height, std::string_view classes,
               std::string_view tip) {
  fmt::format_to(std::back_inserter(text_),
                 R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" class="{}")",
                 corner.x, corner.y, width, height, classes);
  Close("rect", tip);
}

void Svg::Text(Point at, std::string_view text, Anchor anchor, std::string_view classes) {
  fmt::format_to(std::back_inserter(text_),
                 "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" class=\"{}\">{}</text>\n",
                 at.x, at.y, AnchorName(anchor), classes, Escape(text));
}

void Svg::TextUpwards(Point at, std::string_view text, std::string_view classes) {
  fmt::format_to(std::back_inserter(text_),
                 "<text transform=\"translate({:.1f},{:.1f}) rotate(-90)\" "
                 "text-anchor=\"middle\" class=\"{}\">{}</text>\n",
                 at.x, at.y, classes, Escape(text));
}

void Svg::Marker(Point at, int style, std::string_view tip) {
  const auto shape = static_cast<size_t>(style < 0 ? 0 : style % kStyles);
  fmt::format_to(std::back_inserter(text_),
                 "<path d=\"{}\" transform=\"translate({:.1f},{:.1f})\" class=\"marker {}\"",
                 kShapes[shape], at.x, at.y, StyleClass(style));
  Close("path", tip);
}

std::string Svg::Finish() && { return std::move(text_) + "</svg>\n"; }

void Svg::Close(std::string_view element, std::string_view tip) {
  if (tip.empty()) {
    text_ += "/>\n";
  } else {
    fmt::format_to(std::back_inserter(text_), "><title>{}</title></{}>\n", Escape(tip), element);
  }
}

}  // namespace tamis::bench
