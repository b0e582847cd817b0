// A file without a name, for what does not fit into memory. It lies in TMPDIR, or else in /tmp, and
// is gone when it is closed, whatever ends the program.
#ifndef TAMIS_TOOLS_TEMPORARY_FILE_H_
#define TAMIS_TOOLS_TEMPORARY_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "descriptor.h"

namespace tamis::command {

/// Every call throws FileError, with the folder's name, for what the system reports: a full disk,
/// say.
class TemporaryFile {
 public:
  TemporaryFile();

  void Append(const char* data, size_t bytes);
  /// Reads all of bytes `offset` to `offset + bytes`, which must have been appended. For one thread
  /// at a time, as everything here.
  void ReadAt(uint64_t offset, char* into, size_t bytes) const;
  uint64_t size() const { return size_; }

  /// For reading it from its beginning. Nothing is to be appended from then on, and only the latest
  /// of several readers is to be used.
  Descriptor Reader() const;

 private:
  std::string name_;  // for messages
  Descriptor file_;
  uint64_t size_ = 0;
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_TEMPORARY_FILE_H_
