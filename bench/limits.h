// What the machine can do at best, measured beside tamis in the same run: reads, and read-modify-
// writes, of blocks at random places of an array. A filter of the same size can be no faster, since
// each key costs one such access, plus its hash.
#ifndef TAMIS_BENCH_LIMITS_H_
#define TAMIS_BENCH_LIMITS_H_

#include <cstddef>
#include <cstdint>

namespace tamis::bench {

/// Which access a limit is about.
enum class Access { kRead, kUpdate };

/// How blocks are prefetched: how many accesses before their use (0: not at all, at most
/// kMaxDistance), and into which cache level, 1 or 2.
struct Prefetching {
  uint32_t distance;
  int level;
};
inline constexpr uint32_t kMaxDistance = 512;

/// An array of blocks of 32 or 64 bytes.
struct Blocks {
  std::byte* data;
  uint32_t count;
  uint32_t bytes;
};

/// Touches `count` blocks at pseudo-random places. kUpdate writes back what it read, unchanged.
/// Returns something that depends on every read.
uint64_t RandomAccesses(Blocks blocks, Access access, uint64_t count, Prefetching prefetching,
                        uint64_t seed);

/// The prefetching with the highest rate on these blocks, of distances 0, 16, 32, ... kMaxDistance
/// and both levels (each by the best of a few short runs).
Prefetching FindBestPrefetching(Blocks blocks, Access access);

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_LIMITS_H_
