// The subcommands. Each adds itself to the command line; the one that is used sets `run`, which
// does the work and returns the exit code: 0, or 1 where a subcommand says what that means.
// Whatever goes wrong is thrown, and ends with exit code 2 in main.cc.
#ifndef TAMIS_TOOLS_COMMAND_H_
#define TAMIS_TOOLS_COMMAND_H_

#include <functional>

#include "command_line.h"

namespace tamis::command {

using Action = std::function<int()>;

void AddDedup(CLI::App& app, Action& run);
void AddBuild(CLI::App& app, Action& run);
void AddQuery(CLI::App& app, Action& run);
void AddConvert(CLI::App& app, Action& run);
void AddFold(CLI::App& app, Action& run);
void AddMerge(CLI::App& app, Action& run);
void AddInfo(CLI::App& app, Action& run);
void AddPlan(CLI::App& app, Action& run);
void AddBench(CLI::App& app, Action& run);

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_COMMAND_H_
