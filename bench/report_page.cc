#include "bench/report_page.h"

#include <fmt/format.h>

#include "bench/report_style.h"
#include "bench/svg.h"

namespace tamis::bench {

Table::Table(const std::vector<std::string>& heads) {
  for (const std::string& head : heads) {
    const bool right = head.starts_with('#');
    right_.push_back(right);
    head_ += fmt::format("<th scope=\"col\"{}>{}</th>", right ? " class=\"n\"" : "",
                         Escape(std::string_view(head).substr(right ? 1 : 0)));
  }
}

void Table::Add(const std::vector<std::string>& cells) {
  body_ += "<tr>";
  for (size_t i = 0; i < cells.size(); ++i) {
    const bool right = i < right_.size() && right_[i];
    body_ += fmt::format("<td{}>{}</td>", right ? " class=\"n\"" : "", Escape(cells[i]));
  }
  body_ += "</tr>\n";
  ++rows_;
}

std::string Table::Html(std::string_view name) const {
  if (empty()) return "";
  // It scrolls by itself, so that a long one does not push the next chart off the page; the tab
  // stop lets a keyboard scroll it.
  return fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n"
      "<table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n</div>\n",
      Escape(name), head_, body_);
}

std::string Figure(std::string_view title, std::string_view held, std::string_view chart) {
  if (chart.empty()) return "";
  return fmt::format("<figure>\n<figcaption>{}<small>{}</small></figcaption>\n{}</figure>\n",
                     Escape(title), Escape(held), chart);
}

std::string Section(std::string_view id, std::string_view title, std::string_view about,
                    std::string_view charts, std::string_view table) {
  std::string out = fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n", Escape(id), Escape(title));
  if (charts.empty() && table.empty()) {
    return out + Paragraph("Not measured in this run.", "absent") + "</section>\n";
  }
  if (!about.empty()) out += Paragraph(about);
  if (!charts.empty()) out += fmt::format("<div class=\"charts\">\n{}</div>\n", charts);
  return out.append(table) + "</section>\n";
}

std::string Paragraph(std::string_view text, std::string_view classes) {
  return classes.empty() ? fmt::format("<p>{}</p>\n", Escape(text))
                         : fmt::format("<p class=\"{}\">{}</p>\n", classes, Escape(text));
}

std::string Page(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>{0}</title>\n<style>\n{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n"
      "{2}</main>\n</body>\n</html>\n",
      Escape(title), kStyleSheet, body);
}

}  // namespace tamis::bench
