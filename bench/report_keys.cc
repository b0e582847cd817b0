// What the kind of key costs: hashing alone, and the whole of each operation.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "bench/report_page.h"
#include "bench/report_sections.h"
#include "bench/report_text.h"

namespace tamis::bench {
namespace {

// From the quickest to hash to the slowest; kinds that nobody foresaw come last.
size_t Rank(const std::string& kind) {
  constexpr std::array kKinds = {"u64", "bytes16", "strings20", "strings60", "strings200"};
  return static_cast<size_t>(std::find(kKinds.begin(), kKinds.end(), kind) - kKinds.begin());
}

// Rows of one filter, where most kinds of keys were measured; hashing has no filter.
std::vector<Row> RowsByKind(const Scene& scene, const std::string& op) {
  std::vector<Row> rows = SelectRows(
      scene.results(), [&](const WorkRow& work) { return IsTamis(work) && work.op == op; });
  std::map<std::tuple<uint64_t, int, std::string>, std::vector<Row>> by_filter;
  for (const Row& row : rows) {
    by_filter[{row.work->filter_keys, row.work->threads, row.work->pages}].push_back(row);
  }
  std::vector<Row> best;
  size_t most = 0;
  for (const auto& [filter, group] : by_filter) {
    const size_t kinds =
        DistinctValues(group, [](const WorkRow& work) { return work.key_kind; }).size();
    // The first of equals has the smallest filter, where keys cost most beside memory.
    if (kinds > most) {
      most = kinds;
      best = group;
    }
  }
  return best;
}

// The fastest row of each kind and machine.
struct ByRank {
  bool operator()(const std::pair<std::string, size_t>& a,
                  const std::pair<std::string, size_t>& b) const {
    return std::tuple(Rank(a.first), a) < std::tuple(Rank(b.first), b);
  }
};
using ByKind = std::map<std::pair<std::string, size_t>, Row, ByRank>;

ByKind FastestByKind(const std::vector<Row>& rows) {
  ByKind fastest;
  for (const Row& row : rows) {
    const auto [at, added] = fastest.emplace(std::pair(row.work->key_kind, row.machine), row);
    if (row.work->mkeys_per_s > at->second.work->mkeys_per_s) at->second = row;
  }
  return fastest;
}

// A row's rate as a share of hashing the same keys.
std::string ShareOfHashing(const ByKind& hashing, const Row& row) {
  const auto hashed = hashing.find({row.work->key_kind, row.machine});
  return hashed == hashing.end()
             ? NumberOrDash(0)
             : Percent(row.work->mkeys_per_s / hashed->second.work->mkeys_per_s);
}

std::string KindsFigure(const Scene& scene, const std::string& op, const ByKind& rows,
                        const ByKind& hashing) {
  // One kind alone compares nothing.
  if (rows.empty() || rows.begin()->first.first == rows.rbegin()->first.first) return "";
  const bool hash = op == "hash";
  BarChart chart;
  chart.title = hash ? "Hashing alone" : OpName(op) + ", hashing included";
  chart.value = {.label = "million keys a second", .format = Number};
  if (!hash) chart.beside_heads = {"of hashing"};
  std::string shown;
  for (const auto& [kind_and_machine, row] : rows) {
    const auto& [kind, machine] = kind_and_machine;
    Bar bar;
    bar.label = kind == shown ? "" : kind;
    bar.value = row.work->mkeys_per_s;
    bar.text = scene.BarText(row);
    if (!hash) bar.beside = {ShareOfHashing(hashing, row)};
    bar.style = scene.several() ? static_cast<int>(machine) : 0;
    chart.bars.push_back(bar);
    shown = kind;
  }
  chart.legend = scene.MachineLegend();
  const WorkRow& any = *rows.begin()->second.work;
  std::string held = Plural(static_cast<uint64_t>(any.threads), "thread");
  if (!hash) held += fmt::format(", a filter for {} keys", Count(any.filter_keys));
  return Figure(chart.title, held, Draw(chart));
}

}  // namespace

std::string KeysSection(const Scene& scene) {
  Table table(scene.Heads({"Op", "Keys", "Engine", "#Filter", "#Threads", "Pages", "#Mkeys/s",
                           "#ns/key", "#Of hashing alone"}));
  std::string charts;
  const ByKind hashing = FastestByKind(RowsByKind(scene, "hash"));
  for (const std::string op : {"hash", "contains", "insert"}) {
    const ByKind rows = op == "hash" ? hashing : FastestByKind(RowsByKind(scene, op));
    charts += KindsFigure(scene, op, rows, hashing);
    for (const auto& [kind_and_machine, row] : rows) {
      const WorkRow& work = *row.work;
      table.Add(scene.Cells(
          row.machine, {OpName(op), work.key_kind, EngineName(work),
                        op == "hash" ? "" : Bytes(FilterBytes(work)), std::to_string(work.threads),
                        work.pages, Number(work.mkeys_per_s), Number(1e3 / work.mkeys_per_s),
                        ShareOfHashing(hashing, row)}));
    }
  }
  return Section("keys", "Kinds of keys",
                 "Strings take their time to hash; the filter behind should add little to that.",
                 charts, table.Html("Speed by kind of key"));
}

}  // namespace tamis::bench
