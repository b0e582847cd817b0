// Checkpoints of a run of dedup with --seen F: enough on disk, at any moment, for another process
// to go on and end with the bytes that one run without a break would have written.
//
//   F.checkpoint        the state (checkpoint_state.h): inputs and options, how far the input and
//                       each output are, what was counted, and which N holds
//   F.checkpoint.N      the filter as it was then
//   OUTPUT.partial      an output that grows
//
// A checkpoint is taken between two chunks, when all that were read have gone through every stage:
//
//   1. outputs end what they compress, and are synced to disk
//   2. the filter is saved as F.checkpoint.N
//   3. the state that names N and the outputs' lengths replaces the old one: this is the moment at
//      which the checkpoint holds; a run that dies before goes on from the one before
//   4. F.checkpoint.(N - 1) is removed
//
// The end of the input is a checkpoint whose state says "finishing". Then every output is renamed
// from OUTPUT.partial, F is saved, and the state says "finished". Whoever finds "finishing" does
// the same again: an output without its partial file has been renamed, and F is made of the same
// filter.
//
// A run that goes on first cuts outputs back to their lengths, since they may have grown since. A
// state that says "finished" stays: for --resume it means that nothing is left to do, for other
// runs nothing. One of generation 0 is written before the first output is made and marks partial
// files as ours; a run found there begins anew. All of this happens under the lock on F.
#ifndef TAMIS_TOOLS_CHECKPOINT_H_
#define TAMIS_TOOLS_CHECKPOINT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint_state.h"
#include "dedup_arguments.h"
#include "families.h"
#include "progress.h"

namespace tamis::command {

class Checkpoint {
 public:
  /// Finds what there is to go on from, or marks a new beginning. `outputs` are the names of files
  /// that will grow. Throws FileError or InvalidArgument if there is a checkpoint and no --resume,
  /// or one of other work, or if an input cannot be read twice.
  Checkpoint(const DedupArguments& arguments, const Input& input,
             const std::vector<std::string>& outputs);
  /// Of a run that saved nothing, takes away what it made.
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  /// Whether this run goes on from `state()`, and if so, whether all input is through.
  bool resumed() const { return resumed_; }
  bool finishing() const { return state_.phase == CheckpointState::Phase::kFinishing; }
  const CheckpointState& state() const { return state_; }
  /// The filter saved with the state. Throws FileError if it is not that.
  AnyFilter LoadFilter(const Secret& secret) const;

  /// Whether it is time, when `text` bytes were read.
  bool Due(uint64_t text) const;
  /// Steps 2 to 4. What the caller knows of `progress` is taken: outputs, position, result, loss.
  void Save(CheckpointState::Phase phase, const AnyFilter& filter, const CheckpointState& progress,
            uint64_t text);
  /// Everything is under its name.
  void Finish(int exit_code);

 private:
  void Write() const;

  std::string path_;  // of the state
  CheckpointInterval interval_;
  CheckpointState state_;
  bool resumed_ = false;
  Clock::time_point saved_at_ = Clock::now();
  uint64_t saved_text_ = 0;
};

/// The exit code of a run that --resume finds finished: of the same options and inputs, or else it
/// throws.
std::optional<int> FinishedEarlier(const DedupArguments& arguments);

/// Throws FileError if a run with that --seen was killed and can be gone on with.
void RequireNoCheckpoint(const std::string& seen);

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_CHECKPOINT_H_
