// Options that say which records, and what of them is the key.
#ifndef TAMIS_TOOLS_INPUT_ARGUMENTS_H_
#define TAMIS_TOOLS_INPUT_ARGUMENTS_H_

#include <optional>
#include <string>
#include <vector>

#include "command_line.h"
#include "input.h"
#include "key_maker.h"
#include "verdict.h"

namespace tamis::command {

struct InputArguments {
  std::vector<std::string> files;
  bool nul = false;
  std::vector<std::string> json;
  std::vector<std::string> columns;
  bool csv = false;
  bool tsv = false;
  bool header = false;
  bool hex = false;
  std::optional<uint32_t> width;
  std::string normalize;
  KeyForm keys = KeyForm::kBytes;
  std::string on_error = "keep";

  void AddTo(CLI::App& app);
  void AddTablesTo(CLI::App& app);

  /// Throws InvalidArgument for options that do not go together.
  KeyRule Rule() const;
  /// Throws InvalidArgument, naming `option`, unless whole lines are the keys, as it needs.
  void RequireLines(std::string_view option) const;
  OnError Policy() const;
  /// `threads` bounds how many compressed files are read at once.
  Input Open(int threads) const { return Input(files, Rule().format, threads); }
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_INPUT_ARGUMENTS_H_
