// The short table that a run ends with.
#ifndef TAMIS_BENCH_TABLE_H_
#define TAMIS_BENCH_TABLE_H_

#include <string>

#include "bench/result.h"

namespace tamis::bench {

/// Rows of 64-bit keys, by the best target alone, beside the rivals'; those asked for in bulk.
std::string Table(const Result& result);

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_TABLE_H_
