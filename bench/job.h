// One row's work: made once, repeated several times, reported at the end.
#ifndef TAMIS_BENCH_JOB_H_
#define TAMIS_BENCH_JOB_H_

#include <memory>
#include <vector>

#include "bench/grid.h"
#include "bench/result.h"
#include "bench/timing.h"

namespace tamis::bench {

class SharedFilter;
class SharedRival;

class Job {
 public:
  Job() = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  virtual ~Job() = default;

  /// Does the work once; returns its seconds.
  virtual double Repeat() = 0;
  /// Puts medians of what was measured into the row, and says what did the work.
  virtual void Report(WorkRow& row) const = 0;
};

/// The work of a row of tamis, on the filter that rows share. Throws MemoryError if it is too large
/// for this machine.
std::unique_ptr<Job> MakeTamisJob(const WorkRow& row, SharedFilter& shared, const Effort& effort);

/// The work of a rival's row.
std::unique_ptr<Job> MakeRivalJob(const WorkRow& row, SharedRival& shared, const Effort& effort);

/// Keys to ask for again and again in one repetition, at least a batch: as many as stay near the
/// core beside a small filter (2 MB of them), or as many as put a large one's blocks out of cache.
uint64_t PoolSize(uint64_t batch, uint64_t filter_bytes, uint64_t key_bytes, const Effort& effort);

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_JOB_H_
