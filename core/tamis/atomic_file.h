// A file that is written whole or not at all. Bytes go to a temporary file beside the target, which
// Commit() renames over it, synced first unless told otherwise: whenever the process or the machine
// stops, the name holds the old content or the new, never a part and never a stale tail.
//
//   AtomicFile out("seen.tamis");
//   out.Append(bytes);
//   out.Commit();  // without this, as when an exception passes by, the target stays as it was
//
// A new file gets the mode that the umask gives; one that replaces a file keeps that file's mode. A
// symbolic link is followed, so what it points to is replaced. A process killed outright leaves its
// temporary, `.<name>.<16 hex digits>.tmp`, behind; it is never read, and safe to remove.
#ifndef TAMIS_ATOMIC_FILE_H_
#define TAMIS_ATOMIC_FILE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tamis {

/// What a committed file survives.
enum class Durability {
  kSynced,   ///< the machine stopping at any moment: all is on disk before the name changes
  kRenamed,  ///< the process stopping at any moment; the system writes to disk when it likes
};

/// For one thread at a time. Every error is a FileError that names the target.
class AtomicFile {
 public:
  /// Creates the temporary. Throws FileError if it cannot, or if `path` names something that cannot
  /// be replaced whole: a directory, a device, a pipe.
  explicit AtomicFile(const std::string& path);
  /// The same, but the temporary is PartialName(path) and stays, whatever happens, so that another
  /// process can go on with it. Of one that is there the first `length` bytes are kept; FileError
  /// if it has fewer.
  AtomicFile(const std::string& path, uint64_t length);
  /// Removes the temporary, unless it was committed or is to stay.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Writes after all that was appended before.
  void Append(std::span<const std::byte> bytes);
  void Append(std::string_view text) { Append(std::as_bytes(std::span(text))); }
  /// Writes over bytes appended before, such as a header that had to wait for its checksum.
  void WriteAt(uint64_t offset, std::span<const std::byte> bytes);
  /// Bytes appended.
  uint64_t size() const { return size_; }

  /// Returns when all that was appended is on disk.
  void Sync();
  /// Puts the content under its name. Call once, last.
  void Commit(Durability durability = Durability::kSynced);

 private:
  void Open(int flags);
  [[noreturn]] void Fail(const char* action) const;

  std::string path_;       // as given, for messages
  std::string target_;     // behind links
  std::string temporary_;  // empty once renamed
  bool stays_ = false;
  int fd_ = -1;
  uint64_t size_ = 0;
};

/// Where a file that another process may go on with grows: `<path>.partial`, links followed.
std::string PartialName(const std::string& path);

}  // namespace tamis

#endif  // TAMIS_ATOMIC_FILE_H_
