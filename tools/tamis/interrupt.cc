#include "interrupt.h"

#include <csignal>
#include <initializer_list>

namespace tamis::command {

namespace {

volatile std::sig_atomic_t caught = 0;

void Note(int signal) { caught = signal; }

}  // namespace

void CatchSignals() {
  std::signal(SIGPIPE, SIG_IGN);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action = {};
    sigaction(number, nullptr, &action);
    if (action.sa_handler == SIG_IGN) continue;  // nohup and background jobs want it so
    action = {};
    action.sa_handler = Note;  // without SA_RESTART, so that a read that waits returns
    sigaction(number, &action, nullptr);
  }
}

void CheckInterrupt() {
  if (caught != 0) throw Interrupted{caught};
}

}  // namespace tamis::command
