// What tamis dedup says at its end.
#ifndef TAMIS_TOOLS_DEDUP_REPORT_H_
#define TAMIS_TOOLS_DEDUP_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "families.h"
#include "second_pass.h"
#include "stages.h"

namespace tamis::command {

struct DedupResult {
  uint64_t lines = 0;  ///< records, whatever they are
  uint64_t keys = 0;   ///< one a record, or many
  uint64_t fresh = 0;  ///< keys that were new
  uint64_t bad = 0;    ///< records without a key
  bool bad_dropped = false;
  uint64_t dropped = 0;  ///< records of which too much was repeated
  uint64_t bytes = 0;
  double lost = 0;  ///< predicted
  std::optional<Proof> proof;
  bool exact = false;  ///< what was proved to be new was kept
  bool overfull = false;
  double seconds = 0;
  int threads = 1;

  uint64_t duplicates() const { return keys - fresh; }
  double megalines_per_second() const {
    return seconds > 0 ? static_cast<double>(lines) / seconds / 1e6 : 0;
  }
};

/// What was counted, as members of an object.
void WriteCounts(Json& json, const DedupResult& result);

/// On standard error.
void PrintSummary(const DedupResult& result, const AnyFilter& filter, const Engine& engine);
/// One "name number" a line, on standard output.
void PrintCounts(const DedupResult& result);
/// What a report says beside what was counted.
struct ReportFacts {
  std::vector<std::string> inputs;
  std::vector<std::string> options;
  StageSeconds stages;     ///< of this process
  double checkpoints = 0;  ///< seconds, part of stages.read
};
/// JSON; its members are described in tools/README.md.
std::string ReportText(const DedupResult& result, const AnyFilter& filter, const Engine& engine,
                       const ReportFacts& facts);

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_DEDUP_REPORT_H_
