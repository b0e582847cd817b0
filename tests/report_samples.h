// Results made up for tests of the report: shaped as those of a real run, rates by a simple model
// of caches and memory, so that charts look as they would.
#ifndef TAMIS_TESTS_REPORT_SAMPLES_H_
#define TAMIS_TESTS_REPORT_SAMPLES_H_

#include <algorithm>
#include <cmath>
#include <string>

#include "bench/result.h"

namespace tamis::testing {

/// Million random accesses a second to an array, by one thread.
inline double AccessRate(double bytes, bool huge, double speed) {
  const double in_cache = 1 / (1 + std::pow(bytes / (1 << 20), 0.8));
  const double in_l3 = 1 / (1 + std::pow(bytes / (32 << 20), 1.2));
  return speed * (700 * in_cache + 160 * in_l3 + (huge ? 62 : 37));
}

inline bench::WorkRow TamisRow(const std::string& op, double keys, bool huge, double speed) {
  const double limit = AccessRate(keys * 10 / 8, huge, op == "contains" ? speed : 0.7 * speed);
  return {.system = "tamis",
          .backend = "simd",
          .target = "AVX3",
          .threads = 1,
          .op = op,
          .variant = "split_block",
          .key_kind = "u64",
          .filter_keys = static_cast<uint64_t>(keys),
          .bits_per_key = 10,
          .hit_share = op == "contains" ? 0.5 : 0,
          .batch = static_cast<uint64_t>(std::min(keys, 16e6)),
          .pages = huge ? "huge" : "4k",
          .mkeys_per_s = limit * 0.95,
          .fpr = 0.0119,
          .fpr_theory = 0.0117,
          .limit_mkeys_per_s = limit,
          .limit_share = 0.95};
}

inline void AddSizes(bench::Result& result, double speed) {
  for (const bool huge : {false, true}) {
    for (const int step : {0, 1, 2, 3, 4, 5, 6}) {
      const double keys = std::round(26214 * std::pow(5.8, step));
      for (const std::string op : {"contains", "insert", "insert_new"}) {
        bench::WorkRow row = TamisRow(op, keys, huge, speed);
        row.fpr = row.fpr_theory * (0.98 + 0.04 * std::fmod(keys, 7) / 7);
        const struct {
          const char* backend;
          const char* target;
          double share;
        } engines[] = {{"scalar", "", 0.25},
                       {"simd", "SSE4", 0.5},
                       {"simd", "AVX2", 0.78},
                       {"simd", "AVX3", 0.95},
                       {"tbb", "AVX3", 0.93}};
        for (const auto& engine : engines) {
          row.backend = engine.backend;
          row.target = engine.target;
          // Past the caches, memory decides and instruction sets matter less.
          const double wait = keys > 1e7 ? 0.5 : 1;
          row.limit_share = 1 - (1 - engine.share) * wait;
          row.mkeys_per_s = row.limit_mkeys_per_s * row.limit_share;
          result.rows.push_back(row);
        }
      }
    }
  }
  for (const double bits : {8.0, 10.0, 16.0, 20.0}) {
    for (const bool wide : {false, true}) {
      bench::WorkRow row = TamisRow("contains", 1e6, false, speed);
      row.variant = wide ? "split_block_512" : "split_block";
      row.bits_per_key = bits;
      row.fpr_theory = std::pow(0.6185, bits) * (wide ? 1.15 : 1.4);
      row.fpr = row.fpr_theory * (wide ? 1.02 : 0.985);
      result.rows.push_back(row);
    }
  }
}

inline void AddThreads(bench::Result& result, double speed) {
  for (const std::string op : {"contains", "insert", "insert_new"}) {
    for (const int threads : {1, 2, 4, 8}) {
      bench::WorkRow row = TamisRow(op, 1e8, true, speed);
      row.backend = threads == 1 ? "simd" : "tbb";
      row.threads = threads;
      row.mkeys_per_s *= std::pow(threads, op == "contains" ? 0.96 : 0.85);
      result.rows.push_back(row);
    }
  }
}

inline void AddRivals(bench::Result& result, double speed) {
  const struct {
    const char* system;
    const char* variant;
    double share;
    double fpr;
    double bits;
  } rivals[] = {{"Boost.Bloom", "fast_multiblock32<8>, bulk", 0.52, 0.0121, 10},
                {"Boost.Bloom", "fast_multiblock32<8>", 0.41, 0.0121, 10},
                {"Arrow", "BlockSplitBloomFilter", 0.33, 0.0059, 13.4},
                {"RocksDB", "FastLocalBloom", 0.3, 0.0096, 10},
                {"RocksDB", "Ribbon", 0.1, 0.0079, 7.1},
                {"libbloom", "", 0.07, 0.0082, 10},
                {"absl::flat_hash_set", "", 0.12, 0, 146},
                {"std::unordered_set", "", 0.021, 0, 268},
                {"tbb::concurrent_unordered_set", "", 0.017, 0, 290}};
  for (const double keys : {1e6, 1e8}) {
    for (const std::string op : {"contains", "insert"}) {
      bench::WorkRow row = TamisRow(op, keys, false, speed);
      for (const bool huge : {false, true}) result.rows.push_back(TamisRow(op, keys, huge, speed));
      row.backend = row.target = "";
      const double top = row.limit_mkeys_per_s;
      row.limit_mkeys_per_s = row.limit_share = 0;
      for (const auto& rival : rivals) {
        row.system = rival.system;
        row.variant = rival.variant;
        row.mkeys_per_s = top * rival.share;
        row.fpr = rival.fpr;
        row.fpr_theory = rival.fpr * 0.97;
        row.bits_per_key = rival.bits;
        row.batch = 1;
        result.rows.push_back(row);
      }
    }
  }
}

inline void AddKinds(bench::Result& result, double speed) {
  const struct {
    const char* kind;
    double rate;
  } kinds[] = {
      {"u64", 900}, {"bytes16", 620}, {"strings20", 310}, {"strings60", 150}, {"strings200", 62}};
  for (const auto& kind : kinds) {
    for (const std::string op : {"hash", "contains", "insert"}) {
      bench::WorkRow row = TamisRow(op, 1e6, false, speed);
      row.key_kind = kind.kind;
      row.mkeys_per_s = kind.rate * speed * (op == "hash" ? 1 : 0.85);
      if (op == "hash") row.filter_keys = 0;
      result.rows.push_back(row);
    }
  }
}

inline void AddLimits(bench::Result& result, double speed) {
  for (const std::string pages : {"4k", "huge"}) {
    for (uint64_t bytes = 32 << 10; bytes < 1'300'000'000; bytes *= 4) {
      for (const uint32_t block : {32U, 64U}) {
        for (const std::string access : {"read", "update"}) {
          result.limits.push_back(
              {.access = access,
               .block_bytes = block,
               .array_bytes = bytes,
               .pages = pages,
               .threads = 1,
               .distance = 128,
               .level = 1,
               .m_per_s = AccessRate(static_cast<double>(bytes), pages == "huge", speed) *
                          (access == "read" ? 1 : 0.7) * (block == 32 ? 1 : 0.9)});
        }
      }
    }
  }
  result.limits.push_back({.access = "sequential_read",
                           .block_bytes = 0,
                           .array_bytes = 1 << 30,
                           .pages = "huge",
                           .threads = 1,
                           .distance = 0,
                           .level = 0,
                           .m_per_s = 11800 * speed});
}

/// A full run on a machine of this name, `speed` times as fast as the plainest.
inline bench::Result SampleResult(const std::string& cpu, double speed) {
  bench::Result result;
  result.machine = {.cpu = cpu,
                    .cores = 8,
                    .l1_bytes = 48 << 10,
                    .l2_bytes = 2 << 20,
                    .l3_bytes = 60 << 20,
                    .memory_bytes = 64ULL << 30,
                    .page_kinds = {"4k", "huge"},
                    .compiler = "GCC 12.2.0",
                    .version = "0.1.0",
                    .date = "2025-01-31T12:00:00Z",
                    .noise = 0.018};
  AddLimits(result, speed);
  AddSizes(result, speed);
  AddThreads(result, speed);
  AddRivals(result, speed);
  AddKinds(result, speed);
  return result;
}

}  // namespace tamis::testing

#endif  // TAMIS_TESTS_REPORT_SAMPLES_H_
