#include "temporary_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "interrupt.h"
#include "tamis/error.h"

namespace tamis::command {

namespace {

std::string Folder() {
  const char* given = std::getenv("TMPDIR");
  return given == nullptr || *given == '\0' ? "/tmp" : given;
}

int OpenNameless(const std::string& folder) {
  constexpr mode_t kMode = 0600;
  const int fd = open(folder.c_str(), O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, kMode);
  if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return fd;
  // A file system that knows no files without a name.
  std::string name = folder + "/tamis.XXXXXX";
  const int named = mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) unlink(name.c_str());
  return named;
}

}  // namespace

TemporaryFile::TemporaryFile() {
  const std::string folder = Folder();
  name_ = "temporary file in " + folder;
  file_ = Descriptor(OpenNameless(folder), true);
  if (!file_.open()) ThrowErrno(name_);
}

void TemporaryFile::Append(const char* data, size_t bytes) {
  Write(file_.fd(), data, bytes, name_);
  size_ += bytes;
}

void TemporaryFile::ReadAt(uint64_t offset, char* into, size_t bytes) const {
  while (bytes > 0) {
    CheckInterrupt();
    const ssize_t got = pread(file_.fd(), into, bytes, static_cast<off_t>(offset));
    if (got == 0) throw FileError(name_ + ": it is shorter than what was written");
    if (got < 0 && errno != EINTR) ThrowErrno(name_);
    if (got < 0) continue;
    offset += static_cast<uint64_t>(got);
    into += got;
    bytes -= static_cast<size_t>(got);
  }
}

Descriptor TemporaryFile::Reader() const {
  Descriptor reader(fcntl(file_.fd(), F_DUPFD_CLOEXEC, 0), true);
  if (!reader.open() || lseek(reader.fd(), 0, SEEK_SET) != 0) ThrowErrno(name_);
  return reader;
}

}  // namespace tamis::command
