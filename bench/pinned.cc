#include "bench/pinned.h"

#include <sched.h>

#include <algorithm>
#include <barrier>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <thread>

namespace tamis::bench {

namespace {

// `thread` 0 is the calling one.
void Confine(pid_t thread, size_t first, size_t count) {
  const std::vector<int>& processors = Processors();
  cpu_set_t set;
  CPU_ZERO(&set);
  for (size_t i = first; i < std::min(first + count, processors.size()); ++i) {
    CPU_SET(static_cast<size_t>(processors[i]), &set);
  }
  sched_setaffinity(thread, sizeof set, &set);
}

}  // namespace

const std::vector<int>& Processors() {
  static const std::vector<int> processors = [] {
    std::vector<int> found;
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
      for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(static_cast<size_t>(cpu), &set)) found.push_back(cpu);
      }
    }
    if (found.empty()) found.push_back(0);
    return found;
  }();
  return processors;
}

void ConfineTo(int count) {
  Processors();
  std::error_code ignored;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", ignored)) {
    Confine(std::atoi(task.path().filename().c_str()), 0, static_cast<size_t>(count));
  }
}

double TogetherSeconds(int threads, const std::function<void(int)>& work) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point start;
  Clock::time_point end;
  const auto count = static_cast<std::ptrdiff_t>(threads);
  std::barrier begin(count, [&]() noexcept { start = Clock::now(); });
  std::barrier done(count, [&]() noexcept { end = Clock::now(); });
  {
    std::vector<std::jthread> running;
    running.reserve(static_cast<size_t>(threads));
    for (int i = 0; i < threads; ++i) {
      running.emplace_back([&, i] {
        Confine(0, static_cast<size_t>(i) % Processors().size(), 1);
        begin.arrive_and_wait();
        work(i);
        done.arrive_and_wait();
      });
    }
  }
  return std::chrono::duration<double>(end - start).count();
}

}  // namespace tamis::bench
