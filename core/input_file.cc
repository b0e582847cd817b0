#include "input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "tamis/error.h"

namespace tamis {

InputFile::InputFile(const std::string& path) : path_(path) {
  // O_NONBLOCK: else opening a pipe that nobody writes to would wait for ever.
  fd_ = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd_ < 0) Fail(errno);
  struct stat status;
  const int error = fstat(fd_, &status) == 0 ? 0 : errno;
  if (error == 0 && S_ISREG(status.st_mode)) {
    size_ = static_cast<uint64_t>(status.st_size);
    return;
  }
  close(fd_);
  if (error != 0) Fail(error);
  throw FileError(path_ + (S_ISDIR(status.st_mode) ? ": is a directory" : ": is no regular file") +
                  ", expected a filter's file");
}

InputFile::~InputFile() { close(fd_); }

void InputFile::Read(uint64_t offset, std::span<std::byte> into) const {
  while (!into.empty()) {
    const ssize_t got = pread(fd_, into.data(), into.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) Fail(errno);
    if (got == 0) throw FileError(path_ + ": shrank to " + std::to_string(offset) + " bytes");
    into = into.subspan(static_cast<size_t>(got));
    offset += static_cast<uint64_t>(got);
  }
}

void InputFile::Fail(int error) const {
  throw FileError(path_ + ": cannot read: " + std::generic_category().message(error));
}

}  // namespace tamis
