// The machines: their facts, how quiet they were, and the most that their memory allows.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "bench/report_page.h"
#include "bench/report_sections.h"
#include "bench/report_text.h"

namespace tamis::bench {
namespace {

// Above this, two rates that differ by a few percent may well be the same.
constexpr double kNoisy = 0.05;

std::string NoiseWords(double noise) {
  return fmt::format("{} ({})", Percent(noise), noise > kNoisy ? "noisy" : "quiet");
}

std::string Warnings(const Scene& scene) {
  std::string out;
  for (size_t i = 0; i < scene.results().size(); ++i) {
    const double noise = scene.results()[i].machine.noise;
    if (noise <= kNoisy) continue;
    out += Paragraph(
        fmt::format("{} was noisy: one fixed piece of work, repeated through the run, took times "
                    "that spread by {}. Differences smaller than that mean nothing here.",
                    scene.several() ? "Machine " + scene.Letter(i) : "This machine",
                    Percent(noise)),
        "warn");
  }
  return out;
}

std::string BytesOrDash(uint64_t bytes) {
  return bytes == 0 ? NumberOrDash(0) : Bytes(static_cast<double>(bytes));
}

std::string FactsTable(const Scene& scene) {
  std::vector<std::string> heads = {"Fact"};
  for (size_t i = 0; i < scene.results().size(); ++i) heads.push_back(scene.MachineName(i));
  Table table(heads);
  const auto add = [&](const char* name, auto fact) {
    std::vector<std::string> cells = {name};
    for (const Result& result : scene.results()) {
      const std::string words = fact(result.machine);
      cells.push_back(words.empty() ? NumberOrDash(0) : words);
    }
    table.Add(cells);
  };
  using Facts = const MachineFacts&;
  add("Processor", [](Facts f) { return f.cpu; });
  add("Processors usable", [](Facts f) { return NumberOrDash(f.cores); });
  add("Caches L1, L2, L3", [](Facts f) {
    return fmt::format("{}, {}, {}", BytesOrDash(f.l1_bytes), BytesOrDash(f.l2_bytes),
                       BytesOrDash(f.l3_bytes));
  });
  add("Memory", [](Facts f) { return BytesOrDash(f.memory_bytes); });
  add("Page kinds", [](Facts f) { return fmt::format("{}", fmt::join(f.page_kinds, ", ")); });
  add("Compiler", [](Facts f) { return f.compiler; });
  add("tamis", [](Facts f) { return f.version; });
  add("Date of the run", [](Facts f) { return f.date; });
  add("Noise, (p90 - p10) / median", [](Facts f) { return NoiseWords(f.noise); });
  return table.Html("Facts of each machine");
}

struct Limit {
  size_t machine = 0;
  const LimitRow* row = nullptr;
};

bool IsRandom(const LimitRow& row) { return row.access == "read" || row.access == "update"; }

// Random accesses with as few threads as were tried.
std::vector<Limit> RandomLimits(const Scene& scene) {
  std::vector<Limit> limits;
  for (size_t i = 0; i < scene.results().size(); ++i) {
    for (const LimitRow& row : scene.results()[i].limits) {
      if (IsRandom(row)) limits.push_back({i, &row});
    }
  }
  int threads = 0;
  for (const Limit& limit : limits) {
    threads = threads == 0 ? limit.row->threads : std::min(threads, limit.row->threads);
  }
  std::erase_if(limits, [&](const Limit& limit) { return limit.row->threads != threads; });
  return limits;
}

std::string AccessName(const LimitRow& row) {
  return fmt::format("{} of {}-byte blocks", row.access == "read" ? "reads" : "updates",
                     row.block_bytes);
}

// One chart a page kind, a line for each access; of several machines, a chart for each access, a
// line for each machine.
std::string LimitCharts(const Scene& scene) {
  std::map<std::string, LineChart> charts;
  for (const Limit& limit : RandomLimits(scene)) {
    const LimitRow& row = *limit.row;
    const std::string title = scene.several()
                                  ? fmt::format("Random {}, {} pages", AccessName(row), row.pages)
                                  : fmt::format("Random accesses, {} pages", row.pages);
    LineChart& chart = charts[title];
    chart.title = title;
    const std::string name = scene.several() ? scene.MachineName(limit.machine) : AccessName(row);
    auto line = std::find_if(chart.series.begin(), chart.series.end(),
                             [&](const Series& series) { return series.name == name; });
    if (line == chart.series.end()) {
      const int style = static_cast<int>(scene.several() ? limit.machine : chart.series.size());
      line = chart.series.insert(line, {.name = name, .values = {}, .style = style});
    }
    line->values.push_back({static_cast<double>(row.array_bytes), row.m_per_s});
  }
  std::string out;
  for (auto& [title, chart] : charts) {
    chart.x = {.label = "array", .scale = Scale::kLog2, .format = Bytes};
    chart.y = {.label = "million accesses a second", .scale = Scale::kLog10, .format = Number};
    for (Series& series : chart.series) {
      std::sort(series.values.begin(), series.values.end(),
                [](Point a, Point b) { return a.x < b.x; });
    }
    if (!scene.several()) chart.marks = CacheMarks(scene.results()[0].machine);
    out += Figure(title, "the best prefetching found at each size", Draw(chart));
  }
  return out;
}

}  // namespace

std::vector<Mark> CacheMarks(const MachineFacts& machine) {
  std::vector<Mark> marks;
  const auto add = [&](uint64_t bytes, const char* name) {
    if (bytes > 0) marks.push_back({static_cast<double>(bytes), name});
  };
  add(machine.l1_bytes, "L1");
  add(machine.l2_bytes, "L2");
  add(machine.l3_bytes, "L3");
  return marks;
}

std::string MachinesSection(const Scene& scene) {
  return Paragraph(scene.several()
                       ? "The same suite on several machines, side by side. Each machine is shown "
                         "by its fastest backend; tables hold the others too."
                       : "What tamis reaches on this machine, measured in one run beside the most "
                         "that its memory allows, and beside other filters and sets.",
                   "lead") +
         Warnings(scene) +
         Section("machines", scene.several() ? "The machines" : "The machine", "", "",
                 scene.results().empty() ? "" : FactsTable(scene));
}

std::string LimitsSection(const Scene& scene) {
  Table table(scene.Heads({"Access", "#Block", "#Array", "Pages", "#Threads", "#Rate", "Unit",
                           "#Prefetched ahead", "Into"}));
  for (size_t i = 0; i < scene.results().size(); ++i) {
    for (const LimitRow& row : scene.results()[i].limits) {
      const bool sequential = row.access.starts_with("sequential");
      table.Add(scene.Cells(
          i, {row.access, row.block_bytes > 0 ? fmt::format("{} B", row.block_bytes) : "",
              row.array_bytes > 0 ? Bytes(static_cast<double>(row.array_bytes)) : "", row.pages,
              std::to_string(row.threads), Number(row.m_per_s),
              sequential ? "MB/s" : "million a second",
              IsRandom(row) ? std::to_string(row.distance) : "",
              IsRandom(row) && row.distance > 0 ? fmt::format("L{}", row.level) : ""}));
    }
  }
  return Section("limits", "What the memory allows",
                 "Bare accesses to random blocks of an array, without a filter around them: a "
                 "filter of that size can be no faster, since each key costs one.",
                 LimitCharts(scene), table.Html("Every limit measured"));
}

}  // namespace tamis::bench
