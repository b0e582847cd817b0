// File descriptors: opening, reading, writing, telling files apart. Every call that blocks can be
// ended by a signal (interrupt.h).
#ifndef TAMIS_TOOLS_DESCRIPTOR_H_
#define TAMIS_TOOLS_DESCRIPTOR_H_

#include <sys/stat.h>

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace tamis::command {

/// Whoever reads our output is gone. Not a failure to speak about.
struct ClosedPipe {};

/// Owns a descriptor, or borrows one of the standard ones.
class Descriptor {
 public:
  Descriptor() = default;
  Descriptor(int fd, bool owned) : fd_(fd), owned_(owned) {}
  Descriptor(Descriptor&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)), owned_(std::exchange(other.owned_, false)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(owned_, other.owned_);
    return *this;
  }
  ~Descriptor() { Close(); }

  int fd() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  /// Returns false, with errno, if the system reports a late failure.
  bool Close();

 private:
  int fd_ = -1;
  bool owned_ = false;
};

/// Throws FileError with the name and errno's text: "urls.txt: No such file or directory".
[[noreturn]] void ThrowErrno(const std::string& name);

/// Up to `bytes` bytes; 0 at the end of the file, or when `stop` becomes true. Throws FileError, or
/// Interrupted.
size_t Read(int fd, char* into, size_t bytes, const std::string& name,
            const std::atomic<bool>* stop = nullptr);
/// All bytes. Throws FileError, ClosedPipe, or Interrupted.
void Write(int fd, const char* from, size_t bytes, const std::string& name);
/// Whether a read would return at once.
bool ReadyToRead(int fd);

/// What the name leads to, links followed; nothing if there is no such file.
std::optional<struct stat> StatOf(const std::string& name);
/// Whether both are one regular file, under whatever names.
bool SameFile(const struct stat& a, const struct stat& b);

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_DESCRIPTOR_H_
