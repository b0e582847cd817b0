// Instants at which tests kill the command, to see that it goes on right after each.
#ifndef TAMIS_TOOLS_CRASH_POINT_H_
#define TAMIS_TOOLS_CRASH_POINT_H_

namespace tamis::command {

/// Where something has just become durable or visible. The process kills itself, as SIGKILL from
/// outside would, at the N-th of these if TAMIS_TEST_CRASH is N; otherwise nothing happens.
void CrashPoint();

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_CRASH_POINT_H_
