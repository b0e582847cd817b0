// The benchmark suite: the machine's limits, then tamis, then its rivals, in one run.
#ifndef TAMIS_BENCH_SUITE_H_
#define TAMIS_BENCH_SUITE_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/grid.h"
#include "bench/result.h"

namespace tamis::bench {

struct SuiteOptions {
  Extent extent = Extent::kQuick;
  bool device_only = false;  ///< limits and rows of the GPU, and nothing of the processor
  std::string only = {};     ///< a regular expression that names of rows must match; empty: all
  /// Called before each piece of work with its name and how many of how many are done.
  std::function<void(std::string_view name, size_t done, size_t all)> progress = {};
};

struct SuiteRun {
  Result result;
  std::vector<std::string> skipped;  ///< rows that could not be measured, and why
};

/// Runs it, in the calling thread. Pins threads, and leaves them pinned.
SuiteRun RunSuite(const SuiteOptions& options);

/// The name of a row: all that describes it, as in
/// "tamis/contains/split_block/u64/1000000/10/hits:0/batch:262144/huge/AVX2/threads:1".
std::string NameOf(const WorkRow& row);

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_SUITE_H_
