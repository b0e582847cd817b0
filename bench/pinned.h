// Where threads of a measurement run, and how long they take. One thread is pinned to one processor
// and timed by its own clock, which leaves out what other processes take of the core; several are
// pinned to one each (ours) or share just as many (those of a backend), and are timed by the wall.
#ifndef TAMIS_BENCH_PINNED_H_
#define TAMIS_BENCH_PINNED_H_

#include <chrono>
#include <functional>
#include <utility>
#include <vector>

#include "bench/timing.h"

namespace tamis::bench {

/// The processors that this process could run on when it asked first: before it pinned anything.
const std::vector<int>& Processors();

/// Confines every thread of the process, and those that they start later, to the first `count`
/// processors (all, if there are fewer). Where the system refuses, things stay as they are.
void ConfineTo(int count);

/// Runs work(0) to work(threads - 1) at once, each on a processor of its own while there are as
/// many. Returns wall seconds from the common start to the last end.
double TogetherSeconds(int threads, const std::function<void(int)>& work);

/// Wall seconds that `f` takes.
template <typename F>
double WallSeconds(F&& f) {
  const auto start = std::chrono::steady_clock::now();
  std::forward<F>(f)();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Seconds of a call that works on so many threads.
template <typename F>
double Seconds(int threads, F&& f) {
  return threads == 1 ? ThreadSeconds(f) : WallSeconds(f);
}

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_PINNED_H_
