// The report as text: what stands in it, and that nothing a result holds can break it. How it looks
// is for report_test.py, in a browser.
#include "bench/report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "bench/chart.h"
#include "file_test_helpers.h"
#include "report_samples.h"
#include "tamis/error.h"

namespace tamis::bench {
namespace {

using testing::SampleResult;

size_t CountOf(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + part.size())) {
    ++count;
  }
  return count;
}

bool Holds(std::string_view text, std::string_view part) { return CountOf(text, part) > 0; }

// The section with this id, tags and all.
std::string SectionOf(const std::string& page, const std::string& id) {
  const size_t from = page.find("<section id=\"" + id + "\">");
  if (from == std::string::npos) return "";
  return page.substr(from, page.find("</section>", from) - from);
}

std::string TableOf(const std::string& section) {
  const size_t from = section.find("<table>");
  return from == std::string::npos ? "" : section.substr(from);
}

// Every element that is opened is closed, in order.
void ExpectWellFormed(const std::string& page) {
  std::vector<std::string> open;
  const std::regex tag("<(/?)([a-zA-Z0-9]+)([^<>]*)>");
  for (std::sregex_iterator it(page.begin(), page.end(), tag), end; it != end; ++it) {
    const std::string name = (*it)[2];
    const std::string rest = (*it)[3];
    if (name == "meta" || rest.ends_with("/")) continue;
    if ((*it)[1].length() == 0) {
      open.push_back(name);
    } else {
      ASSERT_FALSE(open.empty()) << (*it)[0];
      EXPECT_EQ(open.back(), name);
      open.pop_back();
    }
  }
  EXPECT_TRUE(open.empty());
}

// What no reader should meet, and no address of anything outside the file.
void ExpectClean(const std::string& page) {
  ExpectWellFormed(page);
  for (const char* part : {"nan", "inf<", ">inf", "<script", "http://", "https://", "url(",
                           "@import", "<link", "<img"}) {
    EXPECT_FALSE(Holds(page, part)) << part;
  }
}

TEST(Report, ShowsChartsAndATableInEverySection) {
  const std::string page = RenderReport({SampleResult("Some CPU", 1)});
  ExpectClean(page);
  const struct {
    const char* id;
    size_t charts;
  } sections[] = {{"sizes", 6}, {"rivals", 4}, {"threads", 3},
                  {"rates", 1}, {"keys", 3},   {"limits", 2}};
  for (const auto& section : sections) {
    const std::string text = SectionOf(page, section.id);
    EXPECT_EQ(CountOf(text, "<svg class=\"chart\""), section.charts) << section.id;
    EXPECT_EQ(CountOf(text, "<figcaption>"), section.charts) << section.id;
    EXPECT_EQ(CountOf(text, "<table>"), 1U) << section.id;
  }
  EXPECT_FALSE(Holds(page, "Not measured"));
}

TEST(Report, DrawsALinePerBackendAndTargetAndTheLimit) {
  const std::string sizes = SectionOf(RenderReport({SampleResult("Some CPU", 1)}), "sizes");
  for (const char* name :
       {"scalar", "simd AVX2", "simd AVX3", "simd SSE4", "tbb AVX3", "limit of the memory"}) {
    EXPECT_EQ(CountOf(sizes, std::string("<span>") + name + "</span>"), 6U) << name;
  }
  EXPECT_TRUE(Holds(sizes, ">million keys a second</text>"));
  EXPECT_TRUE(Holds(sizes, ">32 KiB</text>"));
}

TEST(Report, TablesHoldTheNumbers) {
  Result result;
  result.rows.push_back(testing::TamisRow("contains", 1e6, true, 1));
  result.rows[0].mkeys_per_s = 321.4;
  result.rows[0].limit_mkeys_per_s = 345.6;
  result.rows[0].limit_share = 0.93;
  result.rows[0].fpr = 0.01234;
  result.rows[0].fpr_theory = 0.01199;
  const std::string page = RenderReport({result});
  for (const char* id : {"sizes", "rows"}) {
    const std::string table = TableOf(SectionOf(page, id));
    for (const char* cell : {"321", "346", "93 %", "3.11", "1.19 MiB", "1 M"}) {
      EXPECT_TRUE(Holds(table, std::string("<td class=\"n\">") + cell + "</td>")) << id << cell;
    }
  }
  const std::string rates = TableOf(SectionOf(page, "rates"));
  EXPECT_TRUE(Holds(rates, ">1.23 %</td>"));
  EXPECT_TRUE(Holds(rates, ">1.2 %</td>"));
  EXPECT_TRUE(Holds(rates, ">1.029</td>"));
}

TEST(Report, RivalsHaveTheirRateAndSizeBeside) {
  const std::string rivals = SectionOf(RenderReport({SampleResult("Some CPU", 1)}), "rivals");
  EXPECT_TRUE(Holds(rivals, "times as fast as Boost.Bloom"));
  const std::string charts = rivals.substr(0, rivals.find("<table>"));
  EXPECT_TRUE(Holds(charts, ">RocksDB Ribbon, 4k pages</text>"));
  EXPECT_TRUE(Holds(charts, ">0.79 %</text>"));
  EXPECT_TRUE(Holds(charts, ">7.1</text>"));
}

TEST(Report, SeveralMachinesStandInEachChart) {
  const std::string page = RenderReport({SampleResult("Slow CPU", 1), SampleResult("Fast CPU", 2)});
  ExpectClean(page);
  for (const char* id : {"sizes", "rivals", "threads", "rates", "keys", "limits"}) {
    const std::string section = SectionOf(page, id);
    const size_t charts = CountOf(section, "<figure>");
    EXPECT_GT(charts, 0U) << id;
    EXPECT_EQ(CountOf(section, "<span>A: Slow"), charts) << id;
    EXPECT_EQ(CountOf(section, "<span>B: Fast"), charts) << id;
    EXPECT_TRUE(Holds(TableOf(section), "<td>A</td>")) << id;
    EXPECT_TRUE(Holds(TableOf(section), "<td>B</td>")) << id;
  }
  EXPECT_TRUE(Holds(page, "Contains, huge pages: B 2 times the rate of A"));
}

TEST(Report, SaysWhenAMachineWasNoisy) {
  Result result = SampleResult("Some CPU", 1);
  EXPECT_FALSE(Holds(RenderReport({result}), "was noisy"));
  result.machine.noise = 0.12;
  EXPECT_TRUE(Holds(RenderReport({result}), "spread by 12 %"));
}

TEST(Report, SaysWhatWasNotMeasured) {
  const std::string page = RenderReport({Result{}});
  ExpectClean(page);
  EXPECT_EQ(CountOf(page, "Not measured in this run."), 7U);
  EXPECT_FALSE(Holds(page, "<svg"));
  ExpectClean(RenderReport({}));

  // Only some sections are empty.
  Result hash_only;
  hash_only.rows.push_back(testing::TamisRow("hash", 0, false, 1));
  const std::string some = RenderReport({hash_only});
  EXPECT_TRUE(Holds(SectionOf(some, "rivals"), "Not measured"));
  EXPECT_FALSE(Holds(SectionOf(some, "keys"), "Not measured"));
}

TEST(Report, EscapesAllText) {
  const std::string evil = "<b>&\"'\x01</svg><script>";
  Result result = SampleResult(evil, 1);
  result.machine.compiler = result.machine.version = result.machine.date = evil;
  result.machine.page_kinds = {evil};
  for (WorkRow& row : result.rows) {
    for (std::string* text :
         {&row.system, &row.backend, &row.target, &row.variant, &row.key_kind, &row.pages}) {
      if (text != &row.system || *text != "tamis") *text += evil;
    }
  }
  for (LimitRow& row : result.limits) row.pages += evil;
  for (const std::string& page : {RenderReport({result}), RenderReport({result, result})}) {
    ExpectClean(page);
    EXPECT_TRUE(Holds(page, "&lt;b&gt;&amp;&quot;&#39;\xef\xbf\xbd&lt;/svg&gt;&lt;script&gt;"));
    EXPECT_FALSE(Holds(page, "<b>"));
    EXPECT_FALSE(Holds(page, "\x01"));
  }
}

TEST(Report, NumbersThatAreNoneBreakNothing) {
  for (const double value : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity(), 1e300, 1e-300}) {
    Result result = SampleResult("Some CPU", 1);
    for (size_t i = 0; i < result.rows.size(); i += 3) {
      WorkRow& row = result.rows[i];
      row.mkeys_per_s = row.fpr = row.fpr_theory = row.bits_per_key = value;
      row.limit_mkeys_per_s = row.limit_share = row.hit_share = value;
    }
    for (LimitRow& row : result.limits) row.m_per_s = value;
    result.machine.noise = value;
    ExpectWellFormed(RenderReport({result}));
    EXPECT_FALSE(Holds(RenderReport({result, result}), "nan")) << value;
  }
}

TEST(Report, IsWrittenWholeOrRefused) {
  const testing::TempDir dir;
  const std::vector<Result> results = {SampleResult("Some CPU", 1)};
  WriteReport(results, dir / "report.html");
  const auto bytes = testing::ReadFile(dir / "report.html");
  EXPECT_EQ(bytes.size(), RenderReport(results).size());
  EXPECT_THROW(WriteReport(results, dir / "absent/report.html"), FileError);
}

TEST(Axis, TicksAreRoundAndFew) {
  EXPECT_EQ(Ruler(Scale::kLinear, 3, 9.4).ticks(), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(Ruler(Scale::kCount, 1, 2).ticks(), (std::vector<double>{1, 2}));
  EXPECT_EQ(Ruler(Scale::kCount, 4, 4).ticks(), (std::vector<double>{4}));
  EXPECT_EQ(Ruler(Scale::kLog2, 32768, 1.2e9).ticks().size(), 6U);
  for (const double high : {0.003, 1.0, 7.7, 512.0, 1e6, 1e12}) {
    for (const Scale scale : {Scale::kLinear, Scale::kLog10, Scale::kLog2}) {
      const Ruler ruler(scale, 1e-4 * high, high);
      EXPECT_GE(ruler.ticks().size(), 2U) << high;
      EXPECT_LE(ruler.ticks().size(), 8U) << high;
      EXPECT_GE(ruler.Share(1e-4 * high), 0) << high;
      EXPECT_LE(ruler.Share(high), 1 + 1e-9) << high;
    }
  }
}

TEST(Chart, AValueWithoutAPlaceIsLeftOut) {
  LineChart chart;
  chart.title = "Title";
  const auto format = [](double value) { return std::to_string(value); };
  chart.x = {.label = "x", .scale = Scale::kLog10, .format = format};
  chart.y = {.label = "y", .scale = Scale::kLog10, .format = format};
  chart.series.push_back({.name = "a", .values = {{1, 1}, {2, 0}, {3, std::nan("")}, {4, 2}}});
  EXPECT_EQ(CountOf(Draw(chart), "class=\"marker"), 3U);  // one is the legend's
  chart.series[0].values = {{0, 1}};
  EXPECT_EQ(Draw(chart), "");
}

}  // namespace
}  // namespace tamis::bench
