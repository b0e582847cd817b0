// tamis beside other filters and sets, and rates of false positives beside theory.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>

#include "bench/report_page.h"
#include "bench/report_sections.h"
#include "bench/report_text.h"

namespace tamis::bench {
namespace {

// Bars that are drawn together: the same work for everyone.
struct Contest {
  std::string op;
  std::string key_kind;
  uint64_t filter_keys = 0;
  double hit_share = 0;
  int threads = 0;

  bool operator<(const Contest& other) const {
    return std::tie(op, key_kind, filter_keys, hit_share, threads) <
           std::tie(other.op, other.key_kind, other.filter_keys, other.hit_share, other.threads);
  }
};

struct Entrants {
  Contest contest;
  std::vector<Row> rows;  ///< fastest first
};

double BitsFromUsual(const WorkRow& row) { return std::abs(std::round(row.bits_per_key) - 10); }

// Whose bar it is. Page kinds get a bar each, since only some systems can choose them.
auto Entrant(const Row& row) {
  return std::tuple(row.machine, row.work->system, row.work->variant, row.work->pages);
}

// Each entrant at its size nearest to 10 bits a key, by its fastest row: a rival is shown by the
// best of its ways to be called, as tamis is.
std::vector<Row> BestOfEach(const std::vector<Row>& rows) {
  std::map<decltype(Entrant(Row{})), Row> best;
  for (const Row& row : rows) {
    const auto [at, added] = best.emplace(Entrant(row), row);
    const WorkRow& known = *at->second.work;
    if (std::tuple(-BitsFromUsual(*row.work), row.work->mkeys_per_s) >
        std::tuple(-BitsFromUsual(known), known.mkeys_per_s)) {
      at->second = row;
    }
  }
  std::vector<Row> kept;
  kept.reserve(best.size());
  for (const auto& [entrant, row] : best) kept.push_back(row);
  std::stable_sort(kept.begin(), kept.end(), [](const Row& a, const Row& b) {
    return a.work->mkeys_per_s > b.work->mkeys_per_s;
  });
  return kept;
}

bool HasBothSides(const std::vector<Row>& rows) {
  const auto ours =
      std::count_if(rows.begin(), rows.end(), [](const Row& row) { return IsTamis(*row.work); });
  return ours > 0 && ours < static_cast<std::ptrdiff_t>(rows.size());
}

// Of contests that differ only in threads and hits, the one with most entrants: with one thread,
// and half of the keys found, if it has as many.
std::vector<Entrants> Contests(const Scene& scene, const std::string& op) {
  std::map<Contest, std::vector<Row>> all;
  for (const Row& row :
       SelectRows(scene.results(), [&](const WorkRow& work) { return work.op == op; })) {
    const WorkRow& work = *row.work;
    all[{op, work.key_kind, work.filter_keys, work.hit_share, work.threads}].push_back(row);
  }
  std::map<std::pair<std::string, uint64_t>, Entrants> chosen;
  const auto merit = [](const Entrants& entrants) {
    return std::tuple(entrants.rows.size(), -entrants.contest.threads,
                      -std::abs(entrants.contest.hit_share - 0.5));
  };
  for (const auto& [contest, rows] : all) {
    Entrants entrants{.contest = contest, .rows = BestOfEach(rows)};
    if (!HasBothSides(entrants.rows)) continue;
    Entrants& best = chosen[{contest.key_kind, contest.filter_keys}];
    if (best.rows.empty() || merit(entrants) > merit(best)) best = std::move(entrants);
  }
  std::vector<Entrants> contests;
  contests.reserve(chosen.size());
  for (auto& [kind_and_size, entrants] : chosen) contests.push_back(std::move(entrants));
  return contests;
}

// A filter in cache and one far out of it tell the story; other sizes are left to the table.
bool IsDrawn(const Entrants& entrants, const std::vector<Entrants>& contests) {
  const auto from_million = [](uint64_t keys) {
    return std::abs(std::log(static_cast<double>(std::max<uint64_t>(keys, 1)) / 1e6));
  };
  const Contest& contest = entrants.contest;
  bool nearest = true;
  bool largest = true;
  for (const auto& [other, rows] : contests) {
    if (other.key_kind != contest.key_kind) continue;
    nearest &= from_million(contest.filter_keys) <= from_million(other.filter_keys);
    largest &= contest.filter_keys >= other.filter_keys;
  }
  return nearest || largest;
}

const Row* Fastest(const std::vector<Row>& rows, size_t machine, bool ours) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
    return row.machine == machine && IsTamis(*row.work) == ours;
  });
  return found == rows.end() ? nullptr : &*found;
}

std::string ContestTitle(const Scene& scene, const Entrants& entrants) {
  std::vector<std::string> parts;
  std::set<std::string> rivals;
  for (size_t machine = 0; machine < scene.results().size(); ++machine) {
    const Row* ours = Fastest(entrants.rows, machine, true);
    const Row* rival = Fastest(entrants.rows, machine, false);
    if (ours == nullptr || rival == nullptr) continue;
    const std::string times = Number(ours->work->mkeys_per_s / rival->work->mkeys_per_s);
    parts.push_back(scene.several() ? fmt::format("{} on {}", times, scene.Letter(machine))
                                    : times);
    rivals.insert(rival->work->system);
  }
  return fmt::format("{}, {} keys: tamis {} times as fast as {}", OpName(entrants.contest.op),
                     Count(entrants.contest.filter_keys), fmt::join(parts, ", "),
                     rivals.size() == 1 ? *rivals.begin() : "the fastest rival");
}

std::string BarLabel(const WorkRow& row) {
  std::string label = row.system;
  if (!row.variant.empty() && row.variant != row.system) label += " " + row.variant;
  if (IsTamis(row)) label += ", " + EngineName(row);
  if (!row.pages.empty()) label += ", " + row.pages + " pages";
  return label;
}

// Machines' bars of one entrant stand together, where the fastest of them belongs.
std::vector<std::vector<Row>> GroupedByEntrant(std::vector<Row> left) {
  std::vector<std::vector<Row>> groups;
  while (!left.empty()) {
    const WorkRow& first = *left.front().work;
    const auto same = [&](const Row& row) {
      return row.work->system == first.system && row.work->variant == first.variant &&
             row.work->pages == first.pages;
    };
    std::vector<Row>& group = groups.emplace_back();
    std::copy_if(left.begin(), left.end(), std::back_inserter(group), same);
    std::erase_if(left, same);
    std::sort(group.begin(), group.end(),
              [](const Row& a, const Row& b) { return a.machine < b.machine; });
  }
  return groups;
}

std::string ContestFigure(const Scene& scene, const Entrants& entrants) {
  BarChart chart;
  chart.title = ContestTitle(scene, entrants);
  chart.value = {.label = "million keys a second", .format = Number};
  chart.beside_heads = {"false pos.", "bits/key"};
  for (const std::vector<Row>& group : GroupedByEntrant(entrants.rows)) {
    for (const Row& row : group) {
      const WorkRow& work = *row.work;
      const int side = IsTamis(work) ? 0 : 1;
      Bar bar;
      bar.label = &row == group.data() ? BarLabel(work) : "";
      bar.value = work.mkeys_per_s;
      bar.text = scene.BarText(row);
      bar.beside = {PercentOrDash(work.fpr), NumberOrDash(work.bits_per_key)};
      bar.style = scene.several() ? static_cast<int>(row.machine) : side;
      chart.bars.push_back(bar);
    }
  }
  chart.legend = scene.MachineLegend();
  Conditions held;
  held.key_kind = entrants.contest.key_kind;
  held.hit_share = entrants.contest.hit_share;
  held.threads = entrants.contest.threads;
  return Figure(chart.title, Describe(held, entrants.contest.op), Draw(chart));
}

// One row for each filter whose rate was measured.
std::vector<Row> RowsWithRates(const Scene& scene) {
  std::vector<Row> rows = SelectRows(
      scene.results(), [](const WorkRow& work) { return work.fpr > 0 && work.fpr_theory > 0; });
  std::set<std::tuple<size_t, std::string, std::string, std::string, uint64_t, double, double>>
      seen;
  std::erase_if(rows, [&](const Row& row) {
    const WorkRow& work = *row.work;
    return !seen.emplace(row.machine, work.system, work.variant, work.key_kind, work.filter_keys,
                         work.bits_per_key, work.fpr)
                .second;
  });
  return rows;
}

std::string RatesTitle(const std::vector<Row>& rows) {
  Range of_theory;
  for (const Row& row : rows) {
    if (IsTamis(*row.work)) of_theory.Add(row.work->fpr / row.work->fpr_theory);
  }
  return of_theory.empty()
             ? "Rates of false positives"
             : fmt::format("tamis errs {} times as often as theory says", Words(of_theory));
}

// Points by filter; those of several machines by machine.
std::vector<Series> RatePoints(const Scene& scene, const std::vector<Row>& rows) {
  std::vector<Series> points;
  for (const Row& row : rows) {
    const WorkRow& work = *row.work;
    const std::string filter =
        work.variant.empty() ? work.system : work.system + " " + work.variant;
    const std::string name = scene.several() ? scene.MachineName(row.machine) : filter;
    auto series = std::find_if(points.begin(), points.end(),
                               [&](const Series& known) { return known.name == name; });
    if (series == points.end()) {
      Series& added = points.emplace_back();
      added.name = name;
      added.style = static_cast<int>(scene.several() ? row.machine : points.size() - 1);
      added.kind = Series::Kind::kPoints;
      series = points.end() - 1;
    }
    series->values.push_back({work.fpr_theory, work.fpr});
  }
  return points;
}

std::string RatesFigure(const Scene& scene, const std::vector<Row>& rows) {
  if (rows.empty()) return "";
  LineChart chart;
  chart.title = RatesTitle(rows);
  chart.x = {.label = "rate in theory", .scale = Scale::kLog10, .format = Percent};
  chart.y = {.label = "measured rate", .scale = Scale::kLog10, .format = Percent};
  chart.same_range = true;
  Range rates;
  for (const Row& row : rows) {
    rates.Add(row.work->fpr);
    rates.Add(row.work->fpr_theory);
  }
  chart.series = RatePoints(scene, rows);
  chart.series.push_back({.name = "as theory says",
                          .values = {{rates.low(), rates.low()}, {rates.high(), rates.high()}},
                          .style = -1,
                          .kind = Series::Kind::kReference});
  return Figure(chart.title, "share of keys never inserted that are said to be there", Draw(chart));
}

}  // namespace

std::string RivalsSection(const Scene& scene) {
  Table table(scene.Heads({"Op", "Keys", "#Filter keys", "System", "#Threads", "#Batch", "#Mkeys/s",
                           "#ns/key", "#False positives", "#In theory", "#Bits/key"}));
  std::string charts;
  for (const std::string op : kOps) {
    const std::vector<Entrants> contests = Contests(scene, op);
    for (const Entrants& entrants : contests) {
      if (IsDrawn(entrants, contests)) charts += ContestFigure(scene, entrants);
      for (const Row& row : entrants.rows) {
        const WorkRow& work = *row.work;
        table.Add(scene.Cells(
            row.machine, {OpName(op), work.key_kind, Count(work.filter_keys), BarLabel(work),
                          std::to_string(work.threads), Count(work.batch), Number(work.mkeys_per_s),
                          Number(1e3 / work.mkeys_per_s), PercentOrDash(work.fpr),
                          PercentOrDash(work.fpr_theory), NumberOrDash(work.bits_per_key)}));
      }
    }
  }
  return Section("rivals", "Beside other filters and sets",
                 "The same keys asked of others in the same run, each in the fastest of its ways "
                 "to be called. A filter that is faster because it errs more, or takes more "
                 "memory, shows it in the columns beside.",
                 charts, table.Html("tamis and its rivals"));
}

std::string RatesSection(const Scene& scene) {
  const std::vector<Row> rows = RowsWithRates(scene);
  Table table(scene.Heads({"System", "Variant", "Keys", "#Filter keys", "#Bits/key",
                           "#Measured rate", "#In theory", "#Of theory"}));
  for (const Row& row : rows) {
    const WorkRow& work = *row.work;
    table.Add(scene.Cells(row.machine,
                          {work.system, work.variant, work.key_kind, Count(work.filter_keys),
                           Number(work.bits_per_key), Percent(work.fpr), Percent(work.fpr_theory),
                           fmt::format("{:.3f}", work.fpr / work.fpr_theory)}));
  }
  return Section("rates", "False positives: measured against theory",
                 "On the dashed line a filter errs exactly as often as theory says; above it, more "
                 "often.",
                 RatesFigure(scene, rows), table.Html("Measured rates and theory"));
}

}  // namespace tamis::bench
