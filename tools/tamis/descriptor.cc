#include "descriptor.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "interrupt.h"
#include "tamis/error.h"

namespace tamis::command {

namespace {

// One call moves at most this much, so that a signal is noticed soon.
constexpr size_t kMostBytes = size_t{64} << 20;

// Waits until the descriptor is ready, waking now and then in case a signal went to another thread.
// Returns false if `stop` became true instead.
bool WaitFor(int fd, short events, const std::atomic<bool>* stop = nullptr) {
  constexpr int kMilliseconds = 200;
  pollfd wanted = {.fd = fd, .events = events, .revents = 0};
  do {
    CheckInterrupt();
    if (stop != nullptr && *stop) return false;
  } while (poll(&wanted, 1, kMilliseconds) <= 0);
  return true;
}

}  // namespace

bool Descriptor::Close() {
  const int fd = std::exchange(fd_, -1);
  return fd < 0 || !std::exchange(owned_, false) || close(fd) == 0;
}

void ThrowErrno(const std::string& name) {
  throw FileError(name + ": " + std::generic_category().message(errno));
}

size_t Read(int fd, char* into, size_t bytes, const std::string& name,
            const std::atomic<bool>* stop) {
  for (;;) {
    if (!WaitFor(fd, POLLIN, stop)) return 0;
    const ssize_t got = read(fd, into, std::min(bytes, kMostBytes));
    if (got >= 0) return static_cast<size_t>(got);
    if (errno != EINTR && errno != EAGAIN) ThrowErrno(name);
  }
}

void Write(int fd, const char* from, size_t bytes, const std::string& name) {
  while (bytes > 0) {
    CheckInterrupt();
    const ssize_t put = write(fd, from, std::min(bytes, kMostBytes));
    if (put >= 0) {
      from += put;
      bytes -= static_cast<size_t>(put);
    } else if (errno == EPIPE) {
      throw ClosedPipe();
    } else if (errno == EAGAIN) {
      WaitFor(fd, POLLOUT);
    } else if (errno != EINTR) {
      ThrowErrno(name);
    }
  }
}

bool ReadyToRead(int fd) {
  pollfd wanted = {.fd = fd, .events = POLLIN, .revents = 0};
  return poll(&wanted, 1, 0) > 0;
}

std::optional<struct stat> StatOf(const std::string& name) {
  struct stat status = {};
  if (stat(name.c_str(), &status) == 0) return status;
  if (errno == ENOENT) return std::nullopt;
  ThrowErrno(name);
}

bool SameFile(const struct stat& a, const struct stat& b) {
  return S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

}  // namespace tamis::command
