// The options of tamis dedup.
#ifndef TAMIS_TOOLS_DEDUP_ARGUMENTS_H_
#define TAMIS_TOOLS_DEDUP_ARGUMENTS_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "arguments.h"
#include "input_arguments.h"
#include "key_maker.h"
#include "proof_arguments.h"
#include "render.h"

namespace tamis::command {

struct DedupArguments {
  InputArguments input;
  PlanArguments plan;
  ProofArguments proof;
  RunArguments run;
  std::string output = "-";
  std::string duplicates;
  std::string seen;
  std::string report;
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

 private:
  void AddParagraphsTo(CLI::App& app);
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_DEDUP_ARGUMENTS_H_
