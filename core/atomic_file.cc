#include "tamis/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <random>
#include <system_error>

#include "tamis/error.h"

namespace tamis {

namespace {

namespace fs = std::filesystem;

// What `path` leads to through symbolic links, which rename() would replace instead of follow.
// A link that leads nowhere stands for itself.
std::string BehindLinks(const std::string& path) {
  std::error_code error;
  if (!fs::is_symlink(fs::symlink_status(path, error))) return path;
  const fs::path target = fs::canonical(path, error);
  return error ? path : target.string();
}

// Permission bits of the file to be replaced, if there is one.
std::optional<mode_t> ModeOfTarget(const std::string& target, const std::string& path) {
  struct stat status;
  if (stat(target.c_str(), &status) != 0) return std::nullopt;
  if (S_ISDIR(status.st_mode)) throw FileError(path + ": cannot write: it is a directory");
  if (!S_ISREG(status.st_mode)) {
    throw FileError(path + ": cannot replace: it is no regular file");
  }
  return status.st_mode & 0777;
}

// A name beside the target that nothing else has, and no longer than names may be.
std::string TemporaryName(const fs::path& target) {
  constexpr size_t kKept = 200;
  std::random_device random;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%08x%08x", random(), random());
  const std::string name = target.filename().string().substr(0, kKept);
  return (target.parent_path() / ("." + name + "." + digits + ".tmp")).string();
}

// Returns 0, or the error that stopped the write.
int WriteAll(int fd, uint64_t offset, std::span<const std::byte> bytes) {
  constexpr size_t kMost = size_t{1} << 30;  // the kernel takes less than 2 GiB a call
  while (!bytes.empty()) {
    const ssize_t written =
        pwrite(fd, bytes.data(), std::min(bytes.size(), kMost), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes = bytes.subspan(static_cast<size_t>(written));
    offset += static_cast<uint64_t>(written);
  }
  return 0;
}

// Makes a rename in the directory of `target` durable. Some file systems cannot sync a directory
// and say EINVAL: nothing more can be done there.
bool SyncDirectory(const fs::path& target) {
  const fs::path directory = target.has_parent_path() ? target.parent_path() : fs::path(".");
  const int fd = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return errno == EACCES;  // a directory that we may write to, but not read
  const bool synced = fsync(fd) == 0 || errno == EINVAL;
  const int error = errno;
  close(fd);
  errno = error;
  return synced;
}

}  // namespace

std::string PartialName(const std::string& path) { return BehindLinks(path) + ".partial"; }

AtomicFile::AtomicFile(const std::string& path) : path_(path), target_(BehindLinks(path)) {
  do {
    temporary_ = TemporaryName(target_);
    Open(O_CREAT | O_EXCL);
  } while (fd_ < 0 && errno == EEXIST);
  if (fd_ < 0) Fail("create a file beside it");
}

AtomicFile::AtomicFile(const std::string& path, uint64_t length)
    : path_(path),
      target_(BehindLinks(path)),
      temporary_(PartialName(path)),
      stays_(true),
      size_(length) {
  Open(length == 0 ? O_CREAT : 0);
  if (fd_ < 0) Fail("open the .partial file beside it");
  try {
    struct stat status = {};
    if (fstat(fd_, &status) != 0) Fail("look at the .partial file beside it");
    if (static_cast<uint64_t>(status.st_size) < length) {
      throw FileError(temporary_ + ": it has " + std::to_string(status.st_size) +
                      " bytes, fewer than the " + std::to_string(length) + " to go on from");
    }
    if (ftruncate(fd_, static_cast<off_t>(length)) != 0) Fail("cut the .partial file beside it");
  } catch (...) {
    close(fd_);
    throw;
  }
}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) close(fd_);
  if (!temporary_.empty() && !stays_) unlink(temporary_.c_str());
}

// Leaves fd_ negative, and errno, if it cannot.
void AtomicFile::Open(int flags) {
  if (path_.find('\0') != std::string::npos || fs::path(target_).filename().empty()) {
    throw FileError("'" + path_ + "': cannot write: it names no file");
  }
  const std::optional<mode_t> old_mode = ModeOfTarget(target_, path_);
  fd_ =
      open(temporary_.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC | flags, old_mode.value_or(0666));
  // What the umask took away; may be refused.
  if (fd_ >= 0 && old_mode.has_value()) fchmod(fd_, *old_mode);
}

void AtomicFile::Append(std::span<const std::byte> bytes) {
  WriteAt(size_, bytes);
  size_ += bytes.size();
}

void AtomicFile::WriteAt(uint64_t offset, std::span<const std::byte> bytes) {
  errno = WriteAll(fd_, offset, bytes);
  if (errno != 0) Fail("write");
}

void AtomicFile::Sync() {
  if (fsync(fd_) != 0) Fail("sync");
  if (stays_ && !SyncDirectory(target_)) Fail("sync the directory");  // its name is on disk too
}

void AtomicFile::Commit(Durability durability) {
  const bool synced = durability == Durability::kSynced;
  if (synced) Sync();
  const int closed = close(fd_);
  fd_ = -1;
  if (closed != 0 && errno != EINTR) Fail("close");
  if (rename(temporary_.c_str(), target_.c_str()) != 0) Fail("rename a new file to it");
  temporary_.clear();
  if (synced && !SyncDirectory(target_)) Fail("sync its directory; the new file is in place");
}

void AtomicFile::Fail(const char* action) const {
  const int error = errno;
  throw FileError(path_ + ": cannot " + action + ": " + std::generic_category().message(error));
}

}  // namespace tamis
