// The limits of the machine, measured before any work: what result.json lists as `limits`.
#ifndef TAMIS_BENCH_LIMIT_ROWS_H_
#define TAMIS_BENCH_LIMIT_ROWS_H_

#include <functional>
#include <string_view>
#include <vector>

#include "bench/grid.h"
#include "bench/result.h"

namespace tamis::bench {

/// Measures them on one thread and on `threads`; calls `next` with a name before each array.
std::vector<LimitRow> MeasureLimits(Extent extent, int threads,
                                    const std::function<void(std::string_view)>& next);

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_LIMIT_ROWS_H_
