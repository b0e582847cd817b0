// Keeps a second run from a file that one run reads, adds to and writes anew: its result would lose
// what the other one added.
#ifndef TAMIS_TOOLS_FILE_LOCK_H_
#define TAMIS_TOOLS_FILE_LOCK_H_

#include <string>

#include "descriptor.h"

namespace tamis::command {

/// The one name of a file, links followed, also where what they lead to is yet to be made.
std::string RealName(const std::string& name);

/// Held as long as it lives. The lock is on a file beside it, `NAME.lock`, since NAME itself is
/// replaced; the system lets go of it when a process dies, however that happens.
class FileLock {
 public:
  /// Throws FileError if another process holds it, or if no file can be made there.
  explicit FileLock(const std::string& name);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  std::string path_;
  Descriptor file_;
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_FILE_LOCK_H_
