// The sections of the report, and what they share: how machines and engines are named and coloured.
// Each function gives a section's HTML.
#ifndef TAMIS_BENCH_REPORT_SECTIONS_H_
#define TAMIS_BENCH_REPORT_SECTIONS_H_

#include <map>
#include <string>
#include <vector>

#include "bench/chart.h"
#include "bench/report_rows.h"
#include "bench/result.h"

namespace tamis::bench {

/// The results of a report. With one machine, colours tell engines apart, the same ones in every
/// chart; with several they tell machines apart, which are called A, B, C ... where space is short.
class Scene {
 public:
  explicit Scene(const std::vector<Result>& results);

  const std::vector<Result>& results() const { return results_; }
  bool several() const { return results_.size() > 1; }

  /// "B", or "27" after Z.
  std::string Letter(size_t machine) const;
  /// "B: " and the processor's name; with one machine, the name only.
  std::string MachineName(size_t machine) const;

  int StyleOf(const Row& row) const;
  std::string NameOf(const Row& row) const;

  /// What stands at a bar's end: the rate, led by the machine if there are several.
  std::string BarText(const Row& row) const;
  /// The legend that tells machines apart; empty for one machine.
  std::vector<Series> MachineLegend() const;

  /// Heads and cells of a table, led by one for the machine if there are several.
  std::vector<std::string> Heads(std::vector<std::string> heads) const;
  std::vector<std::string> Cells(size_t machine, std::vector<std::string> cells) const;

 private:
  const std::vector<Result>& results_;
  std::map<std::string, int> engine_styles_;
};

/// Ops of tamis in the order that the report shows them.
inline constexpr const char* kOps[] = {"contains", "insert", "insert_new", "merge"};

/// The caches of a machine, for an axis of sizes.
std::vector<Mark> CacheMarks(const MachineFacts& machine);

std::string MachinesSection(const Scene& scene);
std::string SizesSection(const Scene& scene);
std::string RivalsSection(const Scene& scene);
std::string ThreadsSection(const Scene& scene);
std::string RatesSection(const Scene& scene);
std::string KeysSection(const Scene& scene);
std::string LimitsSection(const Scene& scene);
std::string AllRowsSection(const Scene& scene);

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_REPORT_SECTIONS_H_
