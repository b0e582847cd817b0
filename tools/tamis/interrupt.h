// Signals that ask the command to stop (SIGINT, SIGTERM, SIGHUP) end it in an orderly way: the loop
// notices, and unfinished output files are removed on the way out.
#ifndef TAMIS_TOOLS_INTERRUPT_H_
#define TAMIS_TOOLS_INTERRUPT_H_

namespace tamis::command {

struct Interrupted {
  int signal;
};

/// Catches those signals from now on, and has writes to a closed pipe fail instead of kill.
void CatchSignals();

/// Throws Interrupted if one has come.
void CheckInterrupt();

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_INTERRUPT_H_
