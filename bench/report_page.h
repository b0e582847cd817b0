// The page around the charts: headings, figures and tables as HTML, and the style sheet, which
// knows light, dark, narrow and printed. No script, and nothing from outside the file.
#ifndef TAMIS_BENCH_REPORT_PAGE_H_
#define TAMIS_BENCH_REPORT_PAGE_H_

#include <string>
#include <string_view>
#include <vector>

namespace tamis::bench {

/// A table; cells are plain text.
class Table {
 public:
  /// A head that begins with '#' (not shown) is that of a column of numbers, which align right.
  explicit Table(const std::vector<std::string>& heads);
  void Add(const std::vector<std::string>& cells);
  /// Whether there is a row.
  bool empty() const { return rows_ == 0; }
  /// The element; empty if the table is. `name` tells what it holds to who cannot see it.
  std::string Html(std::string_view name) const;

 private:
  std::vector<bool> right_;
  std::string head_;
  std::string body_;
  size_t rows_ = 0;
};

/// A chart (as Draw gives it) under its title and what was held the same; empty if the chart is.
std::string Figure(std::string_view title, std::string_view held, std::string_view chart);

/// A part of the page: its charts side by side where there is room, and a table below. Says that
/// nothing was measured where both are empty.
std::string Section(std::string_view id, std::string_view title, std::string_view about,
                    std::string_view charts, std::string_view table);

/// A paragraph, of plain text.
std::string Paragraph(std::string_view text, std::string_view classes = "");

/// The whole page around what was put together by the above.
std::string Page(std::string_view title, std::string_view body);

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_REPORT_PAGE_H_
