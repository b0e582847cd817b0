// How fast: against the size of the filter, with more threads, and by kind of key.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/report_page.h"
#include "bench/report_sections.h"
#include "bench/report_text.h"

namespace tamis::bench {
namespace {

std::vector<Row> TamisRows(const Scene& scene, const std::string& op) {
  return SelectRows(scene.results(),
                    [&](const WorkRow& row) { return IsTamis(row) && row.op == op; });
}

std::vector<Line> LinesToDraw(const Scene& scene, const Slice& slice) {
  const std::vector<Line> lines = LinesOf(slice);
  return scene.several() ? FastestOfEachMachine(lines) : lines;
}

// What bare accesses reach at the sizes of these rows, as measured for each of them.
std::vector<Point> LimitsBeside(const std::vector<Row>& rows, size_t machine) {
  std::map<double, double> limits;
  for (const Row& row : rows) {
    const double measured = row.work->limit_mkeys_per_s;
    if (row.machine != machine || !std::isfinite(measured) || measured <= 0) continue;
    double& limit = limits[FilterBytes(*row.work)];
    limit = std::max(limit, measured);
  }
  std::vector<Point> points;
  points.reserve(limits.size());
  for (const auto& [bytes, limit] : limits) points.push_back({bytes, limit});
  return points;
}

std::map<double, double> RatesBySize(const Line& line) {
  std::map<double, double> rates;
  for (const Row& row : line) rates[FilterBytes(*row.work)] = row.work->mkeys_per_s;
  return rates;
}

std::string ShareTitle(const std::string& what, const Line& line) {
  Range percent;
  for (const Row& row : line) {
    if (row.work->limit_share > 0) percent.Add(100 * row.work->limit_share);
  }
  return percent.empty() ? what : fmt::format("{}: {} % of the limit", what, Words(percent));
}

// How the other machines compare with the first, at the filters that both measured.
std::string RatioTitle(const Scene& scene, const std::string& what,
                       const std::vector<Line>& fastest) {
  std::vector<std::string> parts;
  const auto rates = RatesBySize(fastest.front());
  for (size_t i = 1; i < fastest.size(); ++i) {
    Range ratio;
    for (const auto& [bytes, rate] : RatesBySize(fastest[i])) {
      const auto first = rates.find(bytes);
      if (first != rates.end()) ratio.Add(rate / first->second);
    }
    if (ratio.empty()) continue;
    parts.push_back(
        fmt::format("{} {} times", scene.Letter(fastest[i].front().machine), Words(ratio)));
  }
  if (parts.empty()) return what;
  return fmt::format("{}: {} the rate of {}", what, fmt::join(parts, ", "),
                     scene.Letter(fastest.front().front().machine));
}

std::string SizeFigure(const Scene& scene, const std::string& op, const Slice& slice) {
  const std::vector<Line> lines = LinesToDraw(scene, slice);
  if (lines.empty()) return "";
  const std::string what = slice.held.pages.empty()
                               ? OpName(op)
                               : fmt::format("{}, {} pages", OpName(op), slice.held.pages);
  LineChart chart;
  chart.title = scene.several() ? RatioTitle(scene, what, lines)
                                : ShareTitle(what, FastestOfEachMachine(lines).front());
  chart.x = {.label = "filter", .scale = Scale::kLog2, .format = Bytes};
  chart.y = {.label = "million keys a second", .scale = Scale::kLog10, .format = Number};
  for (size_t machine = 0; machine < scene.results().size(); ++machine) {
    std::vector<Point> limits = LimitsBeside(slice.rows, machine);
    if (limits.empty()) continue;
    chart.series.push_back(
        {.name = scene.several() ? "limit of " + scene.Letter(machine) : "limit of the memory",
         .values = std::move(limits),
         .style = scene.several() ? static_cast<int>(machine) : -1,
         .kind = Series::Kind::kReference});
  }
  for (const Line& line : lines) {
    Series series{
        .name = scene.NameOf(line.front()), .values = {}, .style = scene.StyleOf(line.front())};
    for (const Row& row : line) {
      series.values.push_back({FilterBytes(*row.work), row.work->mkeys_per_s});
    }
    chart.series.push_back(std::move(series));
  }
  if (!scene.several()) chart.marks = CacheMarks(scene.results()[0].machine);
  return Figure(chart.title, Describe(slice.held, op), Draw(chart));
}

// Rates against that of the fewest threads, times how many those were.
Point SpeedUp(const Line& line, const Row& row) {
  const WorkRow& first = *line.front().work;
  return {static_cast<double>(row.work->threads),
          row.work->mkeys_per_s / first.mkeys_per_s * first.threads};
}

std::string ThreadsFigure(const Scene& scene, const std::string& op, const Slice& slice) {
  const std::vector<Line> lines = LinesToDraw(scene, slice);
  const std::vector<Line> fastest = FastestOfEachMachine(lines);
  std::string title = OpName(op) + ": ";
  for (const Line& line : fastest) {
    const Point most = SpeedUp(line, line.back());
    title += fmt::format("{}{}{} times the rate with {}",
                         line.front().machine == fastest.front().front().machine ? "" : "; ",
                         scene.several() ? scene.Letter(line.front().machine) + " " : "",
                         Number(most.y), Plural(static_cast<uint64_t>(most.x), "thread"));
  }
  LineChart chart;
  chart.title = title;
  chart.x = {.label = "threads", .scale = Scale::kCount, .format = Number};
  chart.y = {.label = "times the rate of one thread", .format = Number};
  Series ideal{.name = "each thread adds as much as the first",
               .values = {},
               .style = -1,
               .kind = Series::Kind::kReference};
  for (const double threads : DistinctValues(
           slice.rows, [](const WorkRow& w) { return static_cast<double>(w.threads); })) {
    ideal.values.push_back({threads, threads});
  }
  chart.series.push_back(ideal);
  for (const Line& line : lines) {
    const Row& most = line.back();  // which names the backend that runs several threads
    Series series{.name = scene.NameOf(most), .values = {}, .style = scene.StyleOf(most)};
    for (const Row& row : line) series.values.push_back(SpeedUp(line, row));
    chart.series.push_back(std::move(series));
  }
  return Figure(chart.title, Describe(slice.held, op), Draw(chart));
}

}  // namespace

std::string SizesSection(const Scene& scene) {
  Table table(scene.Heads({"Op", "Pages", "Engine", "#Filter", "#Keys", "#Mkeys/s", "#ns/key",
                           "#Limit, Mkeys/s", "#Of the limit"}));
  std::string charts;
  for (const std::string op : kOps) {
    const std::vector<Row> all = TamisRows(scene, op);
    if (all.empty()) continue;
    for (const std::string& pages : DistinctValues(all, [](const WorkRow& w) { return w.pages; })) {
      std::vector<Row> rows = all;
      std::erase_if(rows, [&](const Row& row) { return row.work->pages != pages; });
      const Slice slice = LargestSlice(rows, Vary::kFilter);
      charts += SizeFigure(scene, op, slice);
      for (const Row& row : slice.rows) {
        const WorkRow& work = *row.work;
        table.Add(scene.Cells(
            row.machine,
            {OpName(op), pages, EngineName(work), Bytes(FilterBytes(work)), Count(work.filter_keys),
             Number(work.mkeys_per_s), Number(1e3 / work.mkeys_per_s),
             NumberOrDash(work.limit_mkeys_per_s), PercentOrDash(work.limit_share)}));
      }
    }
  }
  return Section("sizes", "Speed against filter size",
                 "The dashed line is the machine's limit: as many bare accesses to random blocks "
                 "of an array of that size. Both axes are logarithmic: equal distances are equal "
                 "ratios.",
                 charts, table.Html("Speed at each filter size"));
}

std::string ThreadsSection(const Scene& scene) {
  Table table(scene.Heads({"Op", "Engine", "#Filter", "Pages", "#Threads", "#Mkeys/s",
                           "#Times one thread", "#A thread's share"}));
  std::string charts;
  for (const std::string op : kOps) {
    const Slice slice = LargestSlice(TamisRows(scene, op), Vary::kThreads);
    Slice scaled{.vary = slice.vary, .held = slice.held, .rows = {}};
    for (const Line& line : LinesOf(slice)) {
      if (line.size() > 1) scaled.rows.insert(scaled.rows.end(), line.begin(), line.end());
    }
    if (scaled.rows.empty()) continue;
    charts += ThreadsFigure(scene, op, scaled);
    for (const Line& line : LinesOf(scaled)) {
      for (const Row& row : line) {
        const Point up = SpeedUp(line, row);
        table.Add(scene.Cells(row.machine,
                              {OpName(op), EngineName(*row.work), Bytes(FilterBytes(*row.work)),
                               row.work->pages, std::to_string(row.work->threads),
                               Number(row.work->mkeys_per_s), Number(up.y), Percent(up.y / up.x)}));
      }
    }
  }
  return Section("threads", "Scaling with threads",
                 "How many times the rate of one thread; on the dashed line, twice the threads do "
                 "twice the work in the same time.",
                 charts, table.Html("Speed by number of threads"));
}

}  // namespace tamis::bench
