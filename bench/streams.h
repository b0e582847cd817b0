// What the machine can do at best with arrays read or written from end to end, and how several
// threads share random accesses: the limits beside those of limits.h.
#ifndef TAMIS_BENCH_STREAMS_H_
#define TAMIS_BENCH_STREAMS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "bench/limits.h"

namespace tamis::bench {

/// Reads every word; returns something that depends on all of them.
uint64_t ReadAll(std::span<const uint64_t> words);

/// Writes every word.
void WriteAll(std::span<uint64_t> words, uint64_t value);

/// Seconds in which `threads` threads together make `count` random accesses to the same blocks:
/// the thread's own for one, of the wall for several.
double AccessSeconds(Blocks blocks, Access access, uint64_t count, Prefetching prefetching,
                     uint64_t seed, int threads);

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_STREAMS_H_
