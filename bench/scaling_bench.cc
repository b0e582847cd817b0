// How work divides among threads, also among more than this machine has processors: the processor
// time of all threads together, a key. If N threads shared it evenly and nothing else held them up,
// they would be
//
//   shared   (time of one thread a key) / (time of N threads together a key / N)
//
// times as fast as one. What is not in it: memory that N threads wait for at once, and the end of a
// loop that waits for its last thread. Updates of a filter of 100 million keys, batches of 8
// million. Pin it, so that clocks and caches are the same for all: taskset -c 0
// build/release/bin/scaling_bench

#include <benchmark/benchmark.h>

#include <ctime>
#include <numeric>
#include <vector>

#include "bench/timing.h"
#include "tamis/engine.h"

namespace tamis::bench {
namespace {

constexpr uint64_t kFilterKeys = 100'000'000;
constexpr double kBitsPerKey = 10;
constexpr uint64_t kBatch = uint64_t{1} << 23;
constexpr int kRounds = 5;

double ProcessSeconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Work {
  std::vector<uint64_t> numbers = std::vector<uint64_t>(kBatch);
  std::vector<uint8_t> answers = std::vector<uint8_t>(AnswerBytes(kBatch));
  Filter filter{PlanForBitsPerKey(kFilterKeys, kBitsPerKey)};

  Work() { std::iota(numbers.begin(), numbers.end(), uint64_t{1}); }

  // Seconds of all threads, a batch: the median of some that follow one which is not counted. The
  // keys are there after that one, which is all the same to an update.
  double Seconds(int threads, bool insert_new) {
    Engine engine({.backend = "tbb", .threads = threads});
    const Keys keys = Keys::U64(numbers);
    std::vector<double> seconds;
    for (int round = -1; round < kRounds; ++round) {
      const double start = ProcessSeconds();
      if (insert_new) {
        engine.InsertNew(filter, keys, answers);
      } else {
        engine.Insert(filter, keys);
      }
      if (round >= 0) seconds.push_back(ProcessSeconds() - start);
    }
    return Median(seconds);
  }
};

void Scaling(benchmark::State& state, bool insert_new) {
  const auto threads = static_cast<int>(state.range(0));
  Work work;
  for (auto _ : state) {
    const double one = work.Seconds(1, insert_new);
    const double all = work.Seconds(threads, insert_new);
    state.SetIterationTime(all);
    state.counters["ns_of_all"] = all / kBatch * 1e9;
    state.counters["shared"] = one / (all / threads);
  }
}

#define TAMIS_SCALING(name, insert_new)              \
  BENCHMARK_CAPTURE(Scaling, name, insert_new)       \
      ->ArgName("threads")                           \
      ->ArgsProduct({{2, 4, 7, 8, 16, 32, 64, 128}}) \
      ->Iterations(1)                                \
      ->UseManualTime()                              \
      ->Unit(benchmark::kMillisecond)

TAMIS_SCALING(insert, false);
TAMIS_SCALING(insert_new, true);

}  // namespace
}  // namespace tamis::bench

BENCHMARK_MAIN();
