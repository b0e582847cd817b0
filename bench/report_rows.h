// Which rows of a run belong in one chart. A run measures a grid of conditions, and which ones
// depends on how long it was given; a chart can vary one condition only. So the report holds no
// list of what the suite measures: it looks for the conditions under which most was measured, and
// says with each chart which they were.
#ifndef TAMIS_BENCH_REPORT_ROWS_H_
#define TAMIS_BENCH_REPORT_ROWS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bench/result.h"

namespace tamis::bench {

/// A row, and which of the results it is from.
struct Row {
  size_t machine = 0;
  const WorkRow* work = nullptr;
};

/// The rows of all results for which `wanted` holds; without those whose rate is no positive
/// number.
std::vector<Row> SelectRows(const std::vector<Result>& results,
                            const std::function<bool(const WorkRow&)>& wanted);

inline bool IsTamis(const WorkRow& row) { return row.system == "tamis"; }

/// What computed: backend and target for tamis, name and variant for a rival.
std::string EngineName(const WorkRow& row);

/// Bytes of the filter.
double FilterBytes(const WorkRow& row);

/// The condition that varies along a chart's x axis.
enum class Vary { kFilter, kThreads };

/// What is the same for all rows of a chart. The condition that varies is 0.
struct Conditions {
  std::string variant;
  std::string key_kind;
  std::string pages;
  int bits_per_key = 0;  // to the nearest: what is measured is seldom whole
  double hit_share = 0;
  int threads = 0;
  uint64_t filter_keys = 0;

  bool operator<(const Conditions& other) const;
};

/// As words, for beneath a title: "1 thread, u64 keys, 10 bits a key, ...".
std::string Describe(const Conditions& held, const std::string& op);

/// The rows that agree in most: of all ways to hold the other conditions, the one with most values
/// of the varied one (of several, the one nearest to plain use: 64-bit keys, 10 bits a key, one
/// thread). Where a row was measured with several batch sizes, the largest batch stands for it.
struct Slice {
  Vary vary = Vary::kFilter;
  Conditions held;
  std::vector<Row> rows;  ///< by machine, line and x
};
Slice LargestSlice(const std::vector<Row>& rows, Vary vary);

/// Lines of a slice: its rows by machine and engine, each in order of x. Along threads the engine
/// counts by its target alone, since one thread runs without the backend that more of them need.
using Line = std::vector<Row>;
std::vector<Line> LinesOf(const Slice& slice);

/// With several machines a chart compares these by their fastest lines; all else is in the table.
std::vector<Line> FastestOfEachMachine(const std::vector<Line>& lines);

/// Distinct values of a field, in order.
template <typename Field>
auto DistinctValues(const std::vector<Row>& rows, Field field) {
  std::map<std::decay_t<decltype(field(*rows[0].work))>, bool> found;
  for (const Row& row : rows) found[field(*row.work)] = true;
  std::vector<typename decltype(found)::key_type> values;
  values.reserve(found.size());
  for (const auto& [value, unused] : found) values.push_back(value);
  return values;
}

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_REPORT_ROWS_H_
