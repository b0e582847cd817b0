#include "input.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace tamis::command {

namespace {

bool IsStandard(const std::string& name) { return name == "-"; }

// How far it is to behind the first, or the last, delimiter; 0 if there is none.
size_t AfterFirst(const char* text, size_t size, char delimiter) {
  const void* hit = size == 0 ? nullptr : std::memchr(text, delimiter, size);
  return hit == nullptr ? 0 : static_cast<size_t>(static_cast<const char*>(hit) - text) + 1;
}
size_t AfterLast(const char* text, size_t size, char delimiter) {
  const void* hit = size == 0 ? nullptr : memrchr(text, delimiter, size);
  return hit == nullptr ? 0 : static_cast<size_t>(static_cast<const char*>(hit) - text) + 1;
}

}  // namespace

std::string InputName(const std::string& name) {
  return IsStandard(name) ? "standard input" : name;
}

uint64_t Position(int fd) {
  return static_cast<uint64_t>(std::max<off_t>(lseek(fd, 0, SEEK_CUR), 0));
}

std::optional<struct stat> InputStatus(const std::string& name) {
  if (!IsStandard(name)) return StatOf(name);
  struct stat status = {};
  if (fstat(STDIN_FILENO, &status) != 0) ThrowErrno(InputName(name));
  return status;
}

std::optional<uint64_t> RegularSize(const std::string& name) {
  const std::optional<struct stat> found = InputStatus(name);
  if (!found) {
    errno = ENOENT;
    ThrowErrno(name);
  }
  const struct stat& status = *found;
  if (S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    ThrowErrno(InputName(name));
  }
  if (!IsStandard(name) && faccessat(AT_FDCWD, name.c_str(), R_OK, AT_EACCESS) != 0) {
    ThrowErrno(name);
  }
  if (!S_ISREG(status.st_mode)) return std::nullopt;
  const auto size = static_cast<uint64_t>(status.st_size);
  return size - std::min(size, IsStandard(name) ? Position(STDIN_FILENO) : 0);
}

Descriptor OpenInput(const std::string& name) {
  if (IsStandard(name)) return {STDIN_FILENO, false};
  Descriptor file(open(name.c_str(), O_RDONLY | O_CLOEXEC), true);
  if (!file.open()) ThrowErrno(name);
  return file;
}

Input::Input(std::vector<std::string> names, char delimiter)
    : names_(std::move(names)), delimiter_(delimiter), total_bytes_(0) {
  if (names_.empty()) names_.emplace_back("-");
  for (const std::string& name : names_) {
    const std::optional<uint64_t> size = RegularSize(name);
    total_bytes_ = total_bytes_ && size ? std::optional(*total_bytes_ + *size) : std::nullopt;
  }
  if (total_bytes_ == 0) total_bytes_.reset();  // empty, or made up by the system as it is read
}

bool Input::OpenNext() {
  if (next_ == names_.size()) return false;
  name_ = InputName(names_[next_]);
  file_ = OpenInput(names_[next_++]);
  // Hints; what they do not apply to refuses them, and nothing is lost.
  posix_fadvise(file_.fd(), 0, 0, POSIX_FADV_SEQUENTIAL);
  fcntl(file_.fd(), F_SETPIPE_SZ, 1 << 20);
  return true;
}

bool Input::Next(Chunk& chunk) {
  while (file_.open() || OpenNext()) {
    if (Fill(chunk)) {
      chunk.input_bytes = bytes_ - carried_;
      return true;
    }
  }
  return false;
}

// Reads from file_ until the chunk is full or, with something whole to give, the source pauses.
// Returns false if the file is at its end and nothing was left of it.
bool Input::Fill(Chunk& chunk) {
  chunk.buffer.Trim(2 * kChunkBytes);
  chunk.buffer.Reserve(kChunkBytes);
  size_t used = std::exchange(carried_, 0);
  if (used > 0) std::memcpy(chunk.buffer.data(), carry_.data(), used);
  size_t whole = AfterLast(chunk.buffer.data(), used, delimiter_);  // bytes of whole records
  while (whole == 0 || (used < kChunkBytes && ReadyToRead(file_.fd()))) {
    const bool is_long = used >= kChunkBytes;
    if (used == chunk.buffer.capacity()) {
      if (on_long_record_) on_long_record_();
      chunk.buffer.Reserve(2 * used);
    }
    char* const fresh = chunk.buffer.data() + used;
    const size_t room = (is_long ? chunk.buffer.capacity() : kChunkBytes) - used;
    const size_t got = Read(file_.fd(), fresh, std::min(room, kChunkBytes), name_);
    if (got == 0) {
      file_ = Descriptor();
      chunk.size = used;
      chunk.unterminated = used != whole;
      chunk.paused = false;
      return used > 0;
    }
    // A record that outgrew a chunk ends at its own delimiter, so that it is alone.
    const size_t after =
        is_long ? AfterFirst(fresh, got, delimiter_) : AfterLast(fresh, got, delimiter_);
    if (after > 0) whole = used + after;
    used += got;
    bytes_ += got;
  }
  carried_ = used - whole;
  carry_.Reserve(carried_);
  if (carried_ > 0) std::memcpy(carry_.data(), chunk.buffer.data() + whole, carried_);
  chunk.size = whole;
  chunk.unterminated = false;
  chunk.paused = used < kChunkBytes;
  return true;
}

}  // namespace tamis::command
