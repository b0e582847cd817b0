#include "file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "tamis/error.h"

namespace tamis::command {

std::string RealName(const std::string& name) {
  namespace fs = std::filesystem;
  constexpr int kMostLinks = 40;  // as many as the system follows
  std::error_code error;
  fs::path path = name;
  for (int i = 0; i < kMostLinks && fs::is_symlink(path, error); ++i) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / target;
  }
  const fs::path real = fs::weakly_canonical(fs::absolute(path, error), error);
  return real.empty() ? name : real.string();
}

FileLock::FileLock(const std::string& name) : path_(RealName(name) + ".lock") {
  constexpr mode_t kMode = 0666;  // less the umask
  for (;;) {
    file_ = Descriptor(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kMode), true);
    if (!file_.open()) ThrowErrno(path_);
    if (flock(file_.fd(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EINTR) continue;
      if (errno == EWOULDBLOCK) throw FileError(name + ": another run is using it");
      ThrowErrno(path_);
    }
    // Its last holder may have removed it after we opened it; then the lock is on nothing.
    struct stat held = {};
    const std::optional<struct stat> named = StatOf(path_);
    if (fstat(file_.fd(), &held) == 0 && named && SameFile(held, *named)) return;
  }
}

FileLock::~FileLock() { unlink(path_.c_str()); }

}  // namespace tamis::command
