#include "replay.h"

#include <unistd.h>

#include <cerrno>

#include "input.h"
#include "tamis/error.h"

namespace tamis::command {

namespace {

struct stat StatusNow(const std::string& name) {
  const std::optional<struct stat> status = InputStatus(name);
  if (!status) {
    errno = ENOENT;
    ThrowErrno(name);
  }
  return *status;
}

bool SameContent(const struct stat& a, const struct stat& b) {
  return SameFile(a, b) && a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
         a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

}  // namespace

Replay::Replay(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    Once once = {.name = name, .status = StatusNow(name), .position = 0, .copy = nullptr};
    if (!S_ISREG(once.status.st_mode)) {
      once.copy = std::make_unique<TemporaryFile>();
    } else if (name == "-") {
      once.position = Position(STDIN_FILENO);
    }
    inputs_.push_back(std::move(once));
  }
}

void Replay::Rewind() {
  for (const Once& once : inputs_) {
    if (once.copy != nullptr) continue;
    if (!SameContent(once.status, StatusNow(once.name))) {
      throw FileError(InputName(once.name) + ": it has changed while it was read");
    }
    if (once.name != "-") continue;
    if (lseek(STDIN_FILENO, static_cast<off_t>(once.position), SEEK_SET) < 0) {
      ThrowErrno(InputName(once.name));
    }
  }
}

Descriptor Replay::Open(size_t i) const {
  return inputs_[i].copy == nullptr ? Descriptor() : inputs_[i].copy->Reader();
}

}  // namespace tamis::command
