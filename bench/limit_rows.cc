#include "bench/limit_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <set>
#include <span>

#include "bench/key_set.h"
#include "bench/limits.h"
#include "bench/pinned.h"
#include "bench/streams.h"
#include "tamis/engine.h"
#include "tamis/storage.h"

namespace tamis::bench {

namespace {

// Median of `count` things in a second, in millions.
template <typename F>
double MedianRate(int repetitions, double count, F&& seconds) {
  std::vector<double> rates(static_cast<size_t>(repetitions));
  for (double& rate : rates) rate = count / seconds() / 1e6;
  return Median(rates);
}

class LimitsOfArray {
 public:
  LimitsOfArray(uint64_t bytes, HugePages huge, const Effort& effort, std::vector<LimitRow>& rows)
      : effort_(effort), storage_(Storage::Zeroed(bytes / 64 * 64, huge)), rows_(rows) {
    std::memset(storage_.data(), 1, storage_.size());  // untouched pages would all be one
  }

  void Random(Access access, uint32_t block_bytes, const std::set<int>& thread_counts) {
    const Blocks blocks{storage_.data(), static_cast<uint32_t>(storage_.size() / block_bytes),
                        block_bytes};
    ConfineTo(1);
    const Prefetching best = FindBestPrefetching(blocks, access);
    for (const int threads : thread_counts) {
      LimitRow& row = Add(access == Access::kRead ? "read" : "update", threads);
      row.block_bytes = block_bytes;
      row.distance = best.distance;
      row.level = best.level;
      uint64_t seed = 1;
      row.m_per_s = MedianRate(effort_.repetitions, static_cast<double>(effort_.keys), [&] {
        return AccessSeconds(blocks, access, effort_.keys, best, seed += effort_.keys, threads);
      });
    }
  }

  void Sequential(bool write, int threads) {
    const std::span<uint64_t> words(reinterpret_cast<uint64_t*>(storage_.data()),
                                    storage_.size() / sizeof(uint64_t));
    const uint64_t rounds = std::max<uint64_t>(1, 8 * effort_.keys / storage_.size());
    std::atomic<uint64_t> sink = 0;
    const auto part = [&](int thread) {
      const size_t size = words.size() / static_cast<size_t>(threads);
      const std::span<uint64_t> own = words.subspan(static_cast<size_t>(thread) * size, size);
      for (uint64_t round = 0; round < rounds; ++round) {
        if (write) {
          WriteAll(own, round);
        } else {
          sink += ReadAll(own);
        }
      }
    };
    LimitRow& row = Add(write ? "sequential_write" : "sequential_read", threads);
    const auto bytes = static_cast<double>(rounds * storage_.size());
    row.m_per_s = MedianRate(effort_.repetitions, bytes, [&] {
      return threads == 1 ? ThreadSeconds([&] { part(0); }) : TogetherSeconds(threads, part);
    });
  }

 private:
  LimitRow& Add(std::string_view access, int threads) {
    LimitRow& row = rows_.emplace_back();
    row.access = access;
    row.array_bytes = storage_.size();
    row.pages = storage_.pages();
    row.threads = threads;
    return row;
  }

  Effort effort_;
  Storage storage_;
  std::vector<LimitRow>& rows_;
};

// Hashing alone, by the engine's best kernels, of keys that are near.
LimitRow HashLimit(std::string_view kind, int threads, const Effort& effort) {
  const uint64_t count = std::min(effort.keys, uint64_t{1} << 16);
  const KeySet keys = KeySet::Range(kind, 0, count);
  const Engine engine({.threads = 1});
  const uint64_t rounds = std::max<uint64_t>(1, effort.keys / count);
  const auto hash = [&](int /*thread*/) {
    constexpr uint64_t kTogether = 4096;
    std::vector<uint64_t> hashes(kTogether);
    for (uint64_t round = 0; round < rounds; ++round) {
      for (uint64_t first = 0; first < count; first += kTogether) {
        const Keys slice = keys.keys().Slice(first, std::min(kTogether, count - first));
        engine.Hash(Spec{}, slice, hashes);
      }
    }
  };
  LimitRow row;
  row.access = "hash";
  row.array_bytes = KeyBytes(kind);
  row.threads = threads;
  const auto hashed = static_cast<double>(rounds * count) * threads;
  row.m_per_s = MedianRate(effort.repetitions, hashed, [&] {
    return threads == 1 ? ThreadSeconds([&] { hash(0); }) : TogetherSeconds(threads, hash);
  });
  return row;
}

}  // namespace

std::vector<LimitRow> MeasureLimits(Extent extent, int threads,
                                    const std::function<void(std::string_view)>& next) {
  constexpr uint64_t kPagesMatter = 10'000'000;
  const Effort effort = EffortOf(extent);
  const std::set<int> thread_counts = {1, threads};
  std::vector<LimitRow> rows;
  for (const uint64_t bytes : LimitBytes(extent)) {
    for (const HugePages huge : {HugePages::kTry, HugePages::kNever}) {
      if (huge == HugePages::kNever && bytes < kPagesMatter) continue;
      if (bytes > MemoryLimit() / 3) continue;
      next(fmt::format("limits of {} bytes", bytes));
      LimitsOfArray array(bytes, huge, effort, rows);
      for (const uint32_t block_bytes : {32, 64}) {
        array.Random(Access::kRead, block_bytes, thread_counts);
        array.Random(Access::kUpdate, block_bytes, thread_counts);
      }
      for (const int count : thread_counts) {
        array.Sequential(false, count);
        array.Sequential(true, count);
      }
    }
  }
  for (const std::string_view kind : kKeyKinds) {
    next(fmt::format("hash rate of {}", kind));
    for (const int count : thread_counts) rows.push_back(HashLimit(kind, count, effort));
  }
  return rows;
}

}  // namespace tamis::bench
