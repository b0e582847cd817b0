// One run of tamis dedup: the stages that chunks pass through, and what becomes of them at the end.
#ifndef TAMIS_TOOLS_DEDUP_RUN_H_
#define TAMIS_TOOLS_DEDUP_RUN_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "checkpoint.h"
#include "dedup_arguments.h"
#include "dedup_report.h"
#include "families.h"
#include "file_lock.h"
#include "input.h"
#include "key_maker.h"
#include "loss.h"
#include "output.h"
#include "progress.h"
#include "render.h"
#include "second_pass.h"
#include "stages.h"
#include "tamis/engine.h"
#include "tamis/formats.h"
#include "verdict.h"

namespace tamis::command {

class DedupRun {
 public:
  /// Opens everything, so that what cannot be read or written is refused at once. The arguments
  /// must outlive it.
  explicit DedupRun(const DedupArguments& arguments);
  /// Returns the exit code.
  int Run();

 private:
  void OpenOutputs();
  std::unique_ptr<Output> OpenGrowing(const std::string& name, size_t number);
  FilterFile LoadOrMake();
  FilterFile LoadCheckpoint();
  void GoOn();
  bool Read(Chunk& chunk, Stages& stages);
  void FilterChunk(Chunk& chunk);
  void WriteChunk(const Chunk& chunk);
  void WarnIfOverfull();
  void Prove();
  void SaveCheckpoint(CheckpointState::Phase phase);
  void Finish();
  int Report(const StageSeconds& stages);

  const DedupArguments& arguments_;
  KeyMaker maker_;
  Input input_;
  std::optional<FileLock> lock_;          // on --seen
  std::optional<Checkpoint> checkpoint_;  // goes before the lock does
  std::unique_ptr<Output> kept_;          // null if not wanted
  std::unique_ptr<Output> duplicates_;    // the same
  std::unique_ptr<Output> report_;
  FilterFile file_;  // --seen keeps its format
  AnyFilter& filter_;
  Engine hasher_;  // called by many threads at once, so not the one that writes
  Engine engine_;
  LossMeter loss_;
  Progress progress_;
  BadMeter bad_;
  Renderer renderer_;
  std::optional<SecondPass> second_pass_;  // where a proof is wanted
  DedupResult result_;
  uint64_t text_ = 0;  // bytes read by this process
  Clock::time_point start_ = Clock::now();
  double checkpoints_ = 0;     // seconds that this process spent on them
  double seconds_before_ = 0;  // of the runs that this one goes on from
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_DEDUP_RUN_H_
