#include "command.h"
namespace tamis::command {
void AddMerge(CLI::App& app, Action& run) {
  (void)app;
  (void)run;
}
}  // namespace tamis::command
