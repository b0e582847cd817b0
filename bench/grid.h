// Which work a run measures. A row whose figures are still zero is a piece of work to do; an empty
// target or backend lets the engine choose.
#ifndef TAMIS_BENCH_GRID_H_
#define TAMIS_BENCH_GRID_H_

#include <cstdint>
#include <string>
#include <vector>

#include "bench/result.h"

namespace tamis::bench {

/// How much of it.
enum class Extent {
  kMoment,  ///< a few tiny rows: whether the suite works, no figures to use
  kQuick,   ///< within two minutes: a line through every dimension of the work
  kFull,    ///< planes of it
};

/// What an extent costs.
struct Effort {
  int repetitions;        ///< of each row; the median counts
  uint64_t keys;          ///< of a repetition, at least
  uint64_t rival_keys;    ///< largest filter for rivals that take more than 30 ns a key
  uint64_t foreign_keys;  ///< asked for to measure a false-positive rate
};
Effort EffortOf(Extent extent);

/// Sizes of arrays whose limits are measured.
std::vector<uint64_t> LimitBytes(Extent extent);

/// The rows to measure of tamis, each once, those of one filter together. `threads` is the most.
std::vector<WorkRow> TamisGrid(Extent extent, int threads);

/// The rows to measure of each rival.
std::vector<WorkRow> RivalGrid(Extent extent);

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_GRID_H_
