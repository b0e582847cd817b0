// How benchmarks here take time, and what they make of it.
#ifndef TAMIS_BENCH_TIMING_H_
#define TAMIS_BENCH_TIMING_H_

#include <algorithm>
#include <ctime>
#include <vector>

namespace tamis::bench {

/// Processor seconds that this thread spends in `f`: what other processes take of the core in
/// between does not count. For work on one thread.
template <typename F>
double ThreadSeconds(F&& f) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double start = now();
  f();
  return now() - start;
}

/// The middle value; of at least one.
inline double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_TIMING_H_
