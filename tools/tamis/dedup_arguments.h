// The options of tamis dedup.
#ifndef TAMIS_TOOLS_DEDUP_ARGUMENTS_H_
#define TAMIS_TOOLS_DEDUP_ARGUMENTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arguments.h"
#include "command_line.h"
#include "input_arguments.h"
#include "key_maker.h"
#include "proof_arguments.h"
#include "render.h"
#include "window_arguments.h"

namespace tamis::command {

/// How often to save what a killed run can go on from: whichever is given.
struct CheckpointInterval {
  std::optional<double> seconds;
  std::optional<uint64_t> bytes;  ///< of text read
};

struct DedupArguments {
  InputArguments input;
  PlanArguments plan;
  WindowArguments window;
  ProofArguments proof;
  RunArguments run;
  std::string output = "-";
  std::string duplicates;
  std::string seen;
  std::string report;
  std::optional<CheckpointInterval> checkpoint;
  bool resume = false;
  bool count = false;
  bool strict = false;
  bool grow = false;
  std::string paragraphs;
  uint64_t min_bytes = 1;
  uint64_t min_words = 1;
  RenderRule render;

  void AddTo(CLI::App& app);
  /// Throws InvalidArgument for options that do not go together.
  KeyRule Rule() const;
  /// Options as they were given, "--fpr 0.01". `all` false leaves out those that do not change what
  /// a run makes of its input.
  std::vector<std::string> Given(bool all) const;

 private:
  void AddParagraphsTo(CLI::App& app);
  void AddCheckpointTo(CLI::App& app, CLI::Option* memory);

  const CLI::App* app_ = nullptr;
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_DEDUP_ARGUMENTS_H_
