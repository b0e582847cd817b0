// Contains of 64-bit keys on one thread, hashing included, beside the machine's own limit: random
// reads of blocks in the same memory, at the best prefetch distance, in the same run.
//
// A classic filter's limit is k reads a key, which is what members cost.
// Both are timed in turns, so that a noisy machine slows both; the counters give medians:
//   Mkeys/s   keys asked for            limit_Mkeys/s  the same number of bare block reads
//   share     median of their ratios    fpr            measured on foreign keys, beside theory's
// Pin it: taskset -c 0 build/release/bin/contains_bench

#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>
#include <vector>

#include "bench/limits.h"
#include "bench/timing.h"
#include "tamis/engine.h"
#include "tamis/machine.h"

namespace tamis::bench {
namespace {

constexpr double kBitsPerKey = 10;
constexpr uint64_t kCount = uint64_t{1} << 22;  // keys of one timing

std::vector<uint64_t> RandomKeys(uint64_t n, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<uint64_t> keys(n);
  std::generate(keys.begin(), keys.end(), [&] { return random(); });
  return keys;
}

// A filter filled with `keys` keys that RandomKeys(.., seed >= 1000) never gives again.
Filter FilledFilter(Engine& engine, Variant variant, uint64_t keys, HugePages huge) {
  Filter filter(PlanForBitsPerKey(keys, kBitsPerKey, {.variant = variant}), huge);
  for (uint64_t done = 0; done < keys; done += kCount) {
    engine.Insert(filter, Keys::U64(RandomKeys(std::min(kCount, keys - done), done / kCount)));
  }
  return filter;
}

// Blocks as large as what one memory access of a key brings: a block, or a line of a classic
// filter.
Blocks BlocksOf(Filter& filter) {
  const Spec& spec = filter.spec();
  const auto bytes = static_cast<uint32_t>(std::clamp<uint64_t>(spec.block_bytes(), 32, 64));
  const uint32_t unit = spec.classic() ? 64 : bytes;
  return {filter.mutable_data(), static_cast<uint32_t>(spec.bytes() / unit), unit};
}

enum class Asked { kForeign, kMembers };

void Contains(benchmark::State& state, Variant variant, HugePages huge,
              Asked asked = Asked::kForeign) {
  const auto filter_keys = static_cast<uint64_t>(state.range(0));
  Engine engine({.threads = 1});
  Filter filter = FilledFilter(engine, variant, filter_keys, huge);
  // A small filter is asked for a batch that was just made, 2 MB of keys; a large one for so many
  // that its blocks are out of cache when their turn comes again.
  const bool small = filter.spec().bytes() < ThisMachine().l3_bytes / 4;
  const uint64_t batch = small ? uint64_t{1} << 18 : kCount;
  const std::vector<uint64_t> keys = RandomKeys(batch, asked == Asked::kMembers ? 0 : 1'000'000);
  std::vector<uint8_t> answers(AnswerBytes(batch));

  const Blocks blocks = BlocksOf(filter);
  // A member of a classic filter costs k accesses, and the limit is that of members for all.
  const int accesses = filter.spec().classic() ? filter.spec().k : 1;
  const Prefetching best = FindBestPrefetching(blocks, Access::kRead);

  uint64_t present = 0;
  uint64_t seed = 1;
  std::vector<double> rates;
  std::vector<double> limits;
  std::vector<double> shares;
  while (state.KeepRunning()) {
    const double limit = ThreadSeconds([&] {
      benchmark::DoNotOptimize(RandomAccesses(blocks, Access::kRead, kCount, best, seed += kCount));
    });
    const double took = ThreadSeconds([&] {
      for (uint64_t done = 0; done < kCount; done += batch) {
        present = engine.Contains(filter, Keys::U64(keys), answers);
      }
    });
    state.SetIterationTime(took);
    rates.push_back(kCount / took / 1e6);
    limits.push_back(kCount / limit / accesses / 1e6);
    shares.push_back(limit * accesses / took);
  }
  state.counters["Mkeys/s"] = Median(rates);
  state.counters["limit_Mkeys/s"] = Median(limits);
  state.counters["share"] = Median(shares);
  state.counters["limit_distance"] = best.distance;
  state.counters["limit_level"] = best.level;
  state.counters["fpr"] = static_cast<double>(present) / static_cast<double>(batch);
  state.counters["fpr_theory"] = filter.ExpectedFpr();
  state.counters["k"] = filter.spec().k;
  state.SetLabel(std::string(engine.target()) + ", " + filter.storage().pages() + " pages");
}

#define TAMIS_CONTAINS(variant, pages)                                               \
  BENCHMARK_CAPTURE(Contains, variant##_##pages, Variant::variant, HugePages::pages) \
      ->Arg(1'000'000)                                                               \
      ->Arg(100'000'000)                                                             \
      ->UseManualTime()                                                              \
      ->Unit(benchmark::kMillisecond)

TAMIS_CONTAINS(kSplitBlock, kTry);
TAMIS_CONTAINS(kSplitBlock, kNever);
TAMIS_CONTAINS(kSplitBlock512, kTry);
TAMIS_CONTAINS(kSplitBlock512, kNever);

// Of members and of foreign keys apart, where they differ: a foreign one is done at a clear bit.
#define TAMIS_CONTAINS_ASKED(variant, asked)                                                      \
  BENCHMARK_CAPTURE(Contains, variant##_##asked, Variant::variant, HugePages::kTry, Asked::asked) \
      ->Arg(1'000'000)                                                                            \
      ->Arg(100'000'000)                                                                          \
      ->UseManualTime()                                                                           \
      ->Unit(benchmark::kMillisecond)

TAMIS_CONTAINS_ASKED(kClassic, kMembers);
TAMIS_CONTAINS_ASKED(kClassic, kForeign);
TAMIS_CONTAINS_ASKED(kCacheLine, kMembers);
TAMIS_CONTAINS_ASKED(kCacheLine, kForeign);
TAMIS_CONTAINS_ASKED(kRegisterBlocked, kMembers);
TAMIS_CONTAINS_ASKED(kRegisterBlocked, kForeign);

}  // namespace
}  // namespace tamis::bench

BENCHMARK_MAIN();
