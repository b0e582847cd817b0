// The input: files one after the other, cut into chunks of whole records.
//
// Files are read, not mapped: a mapped file that another program cuts short kills its reader, a
// pipe cannot be mapped at all, and reading into a buffer that stays in the cache costs a tenth of
// what the rest of the work does.
#ifndef TAMIS_TOOLS_INPUT_H_
#define TAMIS_TOOLS_INPUT_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "chunk.h"
#include "descriptor.h"

namespace tamis::command {

class Input {
 public:
  /// Names of files in order, "-" for standard input; none at all is standard input. Throws
  /// FileError at once for one that is missing, a directory, or not to be read.
  Input(std::vector<std::string> names, char delimiter);

  /// The next stretch of whole records: of at most kChunkBytes, or else one long record. A record
  /// ends at the end of its file at the latest. On a pipe that pauses, what is there. Returns
  /// false at the end. Throws FileError, or Interrupted.
  bool Next(Chunk& chunk);

  /// Called before a record that is longer than a chunk gets memory of its own.
  void OnLongRecord(std::function<void()> call) { on_long_record_ = std::move(call); }

  const std::vector<std::string>& names() const { return names_; }
  char delimiter() const { return delimiter_; }
  /// Bytes in all, if every input is a regular file.
  std::optional<uint64_t> total_bytes() const { return total_bytes_; }

 private:
  bool OpenNext();
  bool Fill(Chunk& chunk);

  std::vector<std::string> names_;
  char delimiter_;
  std::optional<uint64_t> total_bytes_;
  std::function<void()> on_long_record_;

  size_t next_ = 0;   // in names_
  Descriptor file_;   // closed between files
  std::string name_;  // of file_, for messages
  Buffer carry_;      // the beginning of a record whose end was not in the last chunk
  size_t carried_ = 0;
  uint64_t bytes_ = 0;
};

/// Bytes from where it stands to its end, if `name` is a regular file; throws FileError if it
/// cannot be read at all.
std::optional<uint64_t> RegularSize(const std::string& name);
/// What the name leads to; nothing if it is gone.
std::optional<struct stat> InputStatus(const std::string& name);
/// Opens for reading: "-" is standard input. Throws FileError.
Descriptor OpenInput(const std::string& name);
/// How far the descriptor has been read already; 0 where that has no meaning.
uint64_t Position(int fd);
/// How a name is shown in messages: "standard input" for "-".
std::string InputName(const std::string& name);

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_INPUT_H_
