#include "bench/report_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "bench/report_text.h"

namespace tamis::bench {
namespace {

constexpr double kMostBits = 1e9;  // a key; more is a mistake in the file

Conditions HeldBy(const WorkRow& row, Vary vary) {
  return {.variant = row.variant,
          .key_kind = row.key_kind,
          .pages = row.pages,
          .bits_per_key = static_cast<int>(std::lround(row.bits_per_key)),
          .hit_share = row.hit_share,
          .threads = vary == Vary::kThreads ? 0 : row.threads,
          .filter_keys = vary == Vary::kFilter ? 0 : row.filter_keys};
}

// A rate that is no number has no place in a chart, nor an order among others.
bool IsMeasured(const WorkRow& row) {
  return std::isfinite(row.mkeys_per_s) && row.mkeys_per_s > 0 && std::isfinite(row.bits_per_key) &&
         std::abs(row.bits_per_key) < kMostBits && std::isfinite(row.hit_share);
}

double Varied(const WorkRow& row, Vary vary) {
  return vary == Vary::kThreads ? row.threads : FilterBytes(row);
}

std::string LineName(const WorkRow& row, Vary vary) {
  const bool by_target = vary == Vary::kThreads && IsTamis(row) && !row.target.empty();
  return by_target ? row.target : EngineName(row);
}

// How good a chart the rows under some conditions make: compared member by member.
auto Merit(const Conditions& held, const std::vector<Row>& rows, Vary vary) {
  std::set<std::pair<size_t, double>> places;
  for (const Row& row : rows) places.emplace(row.machine, Varied(*row.work, vary));
  return std::tuple(places.size(), held.key_kind == "u64", -held.threads, rows.size(),
                    -std::abs(held.bits_per_key - 10), -std::abs(held.hit_share - 0.5),
                    held.filter_keys);
}

double MeanLogRate(const Line& line) {
  double sum = 0;
  for (const Row& row : line) sum += std::log(std::max(row.work->mkeys_per_s, 1e-9));
  return sum / static_cast<double>(line.size());
}

}  // namespace

bool Conditions::operator<(const Conditions& other) const {
  const auto tied = [](const Conditions& c) {
    return std::tie(c.variant, c.key_kind, c.pages, c.bits_per_key, c.hit_share, c.threads,
                    c.filter_keys);
  };
  return tied(*this) < tied(other);
}

std::vector<Row> SelectRows(const std::vector<Result>& results,
                            const std::function<bool(const WorkRow&)>& wanted) {
  std::vector<Row> rows;
  for (size_t machine = 0; machine < results.size(); ++machine) {
    for (const WorkRow& row : results[machine].rows) {
      if (IsMeasured(row) && wanted(row)) rows.push_back({machine, &row});
    }
  }
  return rows;
}

std::string EngineName(const WorkRow& row) {
  const bool ours = IsTamis(row);
  const std::string& first = ours ? row.backend : row.system;
  const std::string& second = ours ? row.target : row.variant;
  return second.empty() || second == first ? first : first + " " + second;
}

double FilterBytes(const WorkRow& row) {
  return static_cast<double>(row.filter_keys) * row.bits_per_key / 8;
}

std::string Describe(const Conditions& held, const std::string& op) {
  std::vector<std::string> parts;
  if (!held.variant.empty()) parts.push_back(held.variant);
  if (held.threads > 0) parts.push_back(Plural(static_cast<uint64_t>(held.threads), "thread"));
  if (held.filter_keys > 0) parts.push_back("a filter for " + Count(held.filter_keys) + " keys");
  if (!held.key_kind.empty()) parts.push_back(held.key_kind + " keys");
  if (held.bits_per_key > 0) parts.push_back(fmt::format("{} bits a key", held.bits_per_key));
  if (op == "contains") parts.push_back(Percent(held.hit_share) + " hits");
  if (!held.pages.empty()) parts.push_back(held.pages + " pages");
  return fmt::format("{}", fmt::join(parts, ", "));
}

Slice LargestSlice(const std::vector<Row>& rows, Vary vary) {
  std::map<Conditions, std::vector<Row>> groups;
  for (const Row& row : rows) groups[HeldBy(*row.work, vary)].push_back(row);
  if (groups.empty()) return {};
  const auto best = std::max_element(groups.begin(), groups.end(), [&](auto& a, auto& b) {
    return Merit(a.first, a.second, vary) < Merit(b.first, b.second, vary);
  });
  std::map<std::tuple<size_t, std::string, double>, Row> by_place;
  for (const Row& row : best->second) {
    const auto place = std::tuple(row.machine, LineName(*row.work, vary), Varied(*row.work, vary));
    const auto [at, added] = by_place.emplace(place, row);
    if (!added && row.work->batch > at->second.work->batch) at->second = row;
  }
  Slice slice{.vary = vary, .held = best->first, .rows = {}};
  for (const auto& [place, row] : by_place) slice.rows.push_back(row);
  return slice;
}

std::vector<Line> LinesOf(const Slice& slice) {
  std::vector<Line> lines;
  for (const Row& row : slice.rows) {
    const bool continues =
        !lines.empty() && lines.back().front().machine == row.machine &&
        LineName(*lines.back().front().work, slice.vary) == LineName(*row.work, slice.vary);
    if (!continues) lines.emplace_back();
    lines.back().push_back(row);
  }
  return lines;
}

std::vector<Line> FastestOfEachMachine(const std::vector<Line>& lines) {
  std::map<size_t, const Line*> fastest;
  // A line with fewer places may miss those where every engine is slow: length counts first.
  const auto merit = [](const Line& line) { return std::pair(line.size(), MeanLogRate(line)); };
  for (const Line& line : lines) {
    const Line*& best = fastest[line.front().machine];
    if (best == nullptr || merit(line) > merit(*best)) best = &line;
  }
  std::vector<Line> kept;
  kept.reserve(fastest.size());
  for (const auto& [machine, line] : fastest) kept.push_back(*line);
  return kept;
}

}  // namespace tamis::bench
