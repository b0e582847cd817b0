// Options that ask for a proof of what the filter called duplicates.
#ifndef TAMIS_TOOLS_PROOF_ARGUMENTS_H_
#define TAMIS_TOOLS_PROOF_ARGUMENTS_H_

#include <cstdint>

#include "command_line.h"

namespace tamis::command {

struct ProofArguments {
  bool exact = false;                   ///< keep what was wrongly called a duplicate
  bool audit = false;                   ///< only count it
  uint64_t memory = uint64_t{1} << 30;  ///< bytes; what needs more goes to temporary files

  void AddTo(CLI::App& app);
  bool wanted() const { return exact || audit; }
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_PROOF_ARGUMENTS_H_
