// One run of tamis dedup: the stages that chunks pass through, and what becomes of them at the end.
#ifndef TAMIS_TOOLS_DEDUP_RUN_H_
#define TAMIS_TOOLS_DEDUP_RUN_H_

#include <memory>
#include <optional>

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
  FilterFile LoadOrMake();
  void FilterChunk(Chunk& chunk);
  void WriteChunk(const Chunk& chunk);
  void WarnIfOverfull();
  void Prove();
  void Finish();

  const DedupArguments& arguments_;
  KeyMaker maker_;
  Input input_;
  std::unique_ptr<Output> kept_;        // null if not wanted
  std::unique_ptr<Output> duplicates_;  // the same
  std::unique_ptr<Output> report_;
  std::optional<FileLock> lock_;  // on --seen
  FilterFile file_;               // --seen keeps its format
  AnyFilter& filter_;
  Engine hasher_;  // called by many threads at once, so not the one that writes
  Engine engine_;
  LossMeter loss_;
  Progress progress_;
  BadMeter bad_;
  Renderer renderer_;
  std::optional<SecondPass> second_pass_;  // where a proof is wanted
  DedupResult result_;
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_DEDUP_RUN_H_
