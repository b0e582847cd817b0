// What a run of the benchmark suite found, as result.json holds it: the machine, its limits, and a
// row for every piece of work measured. Names of members are the names of fields in the file.
#ifndef TAMIS_BENCH_RESULT_H_
#define TAMIS_BENCH_RESULT_H_

#include <cstdint>
#include <string>
#include <vector>

namespace tamis::bench {

struct MachineFacts {
  std::string cpu;  ///< model name, as the system tells it
  int cores = 0;    ///< processors that the run could use
  uint64_t l1_bytes = 0;
  uint64_t l2_bytes = 0;
  uint64_t l3_bytes = 0;
  uint64_t memory_bytes = 0;
  std::vector<std::string> page_kinds;  ///< "4k", "huge"
  std::string compiler;
  std::string version;  ///< of tamis
  std::string date;     ///< of the run, ISO 8601, UTC
  double noise = 0;     ///< spread of one fixed piece of work over the run: (p90 - p10) / median
};

/// The best of the machine at one kind of access, by the best prefetching found.
struct LimitRow {
  std::string access;        ///< read, update, sequential_read, sequential_write, hash
  uint32_t block_bytes = 0;  ///< 32 or 64; 0 for sequential ones and hash
  uint64_t array_bytes = 0;
  std::string pages;  ///< 4k or huge; device: of a GPU's memory
  int threads = 1;
  uint32_t distance = 0;  ///< accesses between prefetch and use
  int level = 0;          ///< cache level prefetched into
  double m_per_s =
      0;  ///< million accesses (blocks, keys hashed) a second; MB/s for sequential ones
};

/// One piece of work. Medians of several repetitions.
struct WorkRow {
  std::string system;   ///< tamis, or a rival's name
  std::string backend;  ///< of tamis; empty for rivals
  std::string target;   ///< of tamis; empty for rivals
  int threads = 1;
  std::string op;        ///< insert, insert_new, contains, merge, hash
  std::string variant;   ///< of the filter
  std::string key_kind;  ///< u64, bytes16, strings20, strings60, strings200
  uint64_t filter_keys = 0;
  double bits_per_key = 0;
  double hit_share = 0;  ///< of the keys asked for, 0 to 1
  uint64_t batch = 0;    ///< keys of a call; 1 for one by one
  std::string pages;     ///< 4k or huge; on a GPU device, or host if transfers count
  double mkeys_per_s = 0;
  double fpr = 0;  ///< measured on foreign keys; 0 where not measured
  double fpr_theory = 0;
  double limit_mkeys_per_s = 0;  ///< of the same number of bare accesses; 0 where none applies
  double limit_share = 0;
};

struct Result {
  MachineFacts machine;
  std::vector<LimitRow> limits;
  std::vector<WorkRow> rows;
};

/// Writes result.json; throws FileError.
void WriteResult(const Result& result, const std::string& path);

/// Reads one back; throws FileError, naming the file and what is wrong with it.
Result ReadResult(const std::string& path);

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_RESULT_H_
