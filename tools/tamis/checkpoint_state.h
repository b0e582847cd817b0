// What a checkpoint says beside the filter: how far a run was, and of which inputs and options. As
// JSON, in one small file.
#ifndef TAMIS_TOOLS_CHECKPOINT_STATE_H_
#define TAMIS_TOOLS_CHECKPOINT_STATE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dedup_report.h"
#include "input.h"
#include "loss.h"
#include "output.h"

namespace tamis::command {

/// What a file can be told by, without reading it.
struct FileIdentity {
  std::string name;
  uint64_t size = 0;
  int64_t modified = 0;  ///< nanoseconds since 1970

  bool operator==(const FileIdentity&) const = default;
};

struct CheckpointState {
  enum class Phase : uint8_t {
    kRunning,    ///< input up to `position` is in the filter and the outputs
    kFinishing,  ///< all of it is; outputs and --seen are being put under their names
    kFinished,   ///< they are
  };

  Phase phase = Phase::kRunning;
  uint64_t generation = 0;  ///< of the filter saved with it; 0: nothing was done yet
  std::vector<std::string> options;
  std::vector<FileIdentity> inputs;
  std::optional<FileIdentity> seen;   ///< --seen as it was at the beginning, if it was there
  std::vector<std::string> partials;  ///< files in which outputs grow
  std::vector<OutputMark> outputs;    ///< how much of each is right
  InputPosition position;
  uint64_t inserted = 0;  ///< keys in the filter
  DedupResult result;
  LossMeter::State loss;
  int exit_code = 0;  ///< of a run that is finished
};

/// Of this version of the file.
inline constexpr uint64_t kCheckpointVersion = 2;
/// Names of phases, in order.
inline constexpr std::array<std::string_view, 3> kPhases = {"running", "finishing", "finished"};

/// Ends with a checksum of itself.
std::string ToText(const CheckpointState& state);
/// Whether the text is whole, by its checksum.
bool ChecksumHolds(std::string_view text);

/// Nothing of `text` is trusted. Throws FileError, naming `path`, if it is not what ToText makes,
/// or says what cannot be. Bytes of names that are no UTF-8 come back as U+FFFD.
CheckpointState ParseState(std::string_view text, const std::string& path);

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_CHECKPOINT_STATE_H_
