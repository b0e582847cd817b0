#include "bench/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

namespace tamis::bench {

namespace {

constexpr uint64_t kBulk = 1000;  // keys of a batch

// The target of the first row on one thread: the engine's own choice comes first in the grid.
std::string BestTarget(const Result& result) {
  for (const WorkRow& row : result.rows) {
    if (row.system == "tamis" && row.backend != "scalar") return row.target;
  }
  return "";
}

std::vector<WorkRow> Headlines(const Result& result) {
  const std::string best = BestTarget(result);
  std::vector<WorkRow> rows;
  std::ranges::copy_if(result.rows, std::back_inserter(rows), [&](const WorkRow& row) {
    const bool of_best = row.system != "tamis" || row.target == best;
    return of_best && row.key_kind == "u64" && row.hit_share == 0 && row.op != "hash" &&
           row.batch >= kBulk && (row.system != "tamis" || row.bits_per_key == 10);
  });
  // Of rows that differ in nothing but the batch, the largest.
  const auto order = [](const WorkRow& row) {
    return std::tie(row.op, row.filter_keys, row.system, row.variant, row.threads, row.pages);
  };
  std::ranges::stable_sort(rows, [&](const WorkRow& a, const WorkRow& b) {
    return order(a) == order(b) ? a.batch > b.batch : order(a) < order(b);
  });
  const auto same = [&](const WorkRow& a, const WorkRow& b) { return order(a) == order(b); };
  rows.erase(std::unique(rows.begin(), rows.end(), same), rows.end());
  return rows;
}

std::string Percent(double share) {
  return share == 0 ? "-" : fmt::format("{:.2f} %", 100 * share);
}

std::string Line(const WorkRow& row) {
  const std::string limit = row.limit_share == 0 ? "-" : fmt::format("{:.2f}", row.limit_share);
  return fmt::format("{:<11}{:>11}  {:<46}{:>3}  {:<5}{:>9.1f}{:>9.2f}{:>7}{:>10}{:>10}{:>8.1f}\n",
                     row.op, row.filter_keys, row.system + " " + row.variant, row.threads,
                     row.pages, row.mkeys_per_s, 1000 / row.mkeys_per_s, limit, Percent(row.fpr),
                     Percent(row.fpr_theory), row.bits_per_key);
}

}  // namespace

std::string Table(const Result& result) {
  std::string text =
      fmt::format("{:<11}{:>11}  {:<46}{:>3}  {:<5}{:>9}{:>9}{:>7}{:>10}{:>10}{:>8}\n", "", "keys",
                  "", "thr", "pages", "Mkeys/s", "ns/key", "limit", "fpr", "theory", "bits");
  for (const WorkRow& row : Headlines(result)) text += Line(row);
  return text;
}

}  // namespace tamis::bench
