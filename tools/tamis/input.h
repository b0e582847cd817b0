// The input: files one after the other, cut into chunks of whole records.
//
// Files are read, not mapped: a mapped file that another program cuts short kills its reader, a
// pipe cannot be mapped at all, and reading into a buffer that stays in the cache costs a tenth of
// what the rest of the work does. Of compressed files, the next few are opened ahead of their turn,
// so that they are decompressed at the same time.
#ifndef TAMIS_TOOLS_INPUT_H_
#define TAMIS_TOOLS_INPUT_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chunk.h"
#include "descriptor.h"
#include "framer.h"
#include "record_format.h"
#include "replay.h"
#include "source.h"

namespace tamis::command {

/// How far inputs have been read, in whole records.
struct InputPosition {
  uint64_t file = 0;    ///< which of them
  uint64_t offset = 0;  ///< in what that file holds, decompressed
};

class Input {
 public:
  /// Names of files in order, "-" for standard input; none at all is standard input. One that
  /// names no file but has *, ? or [ stands for the files that match it, by name. `ahead` files are
  /// decompressed at once. Throws FileError at once for a file that is missing, a directory, or not
  /// to be read.
  Input(const std::vector<std::string>& names, const RecordFormat& format, int ahead = 1);

  /// The next stretch of whole records: of at most kChunkBytes, or else one long record. A record
  /// ends at the end of its file at the latest. On a pipe that pauses, what is there. Returns
  /// false at the end. Throws FileError, or Interrupted.
  bool Next(Chunk& chunk);

  /// What the next chunk begins with, when no other thread is reading.
  InputPosition position() const;
  /// Before anything is read: goes there instead. Throws FileError if there is no such place.
  void GoTo(const InputPosition& position);

  /// Called before a record that is longer than a chunk gets memory of its own.
  void OnLongRecord(std::function<void()> call) { on_long_record_ = std::move(call); }

  /// Before the first Next: sees to it that all of it can be read once more. Throws FileError.
  void KeepForRewind();
  /// Begins again with the first file. Throws FileError if one has changed meanwhile.
  void Rewind();

  const std::vector<std::string>& names() const { return names_; }
  const RecordFormat& format() const { return format_; }
  /// Bytes in all, compressed where they are, if every input is a regular file.
  std::optional<uint64_t> total_bytes() const { return total_bytes_; }
  /// Whether some input is compressed, as far as can be told before it is read.
  bool compressed() const { return compressed_; }

 private:
  void AddNames(const std::string& name);
  std::unique_ptr<Source> Open(size_t index);
  bool OpenNext();
  void OpenAhead();
  bool Fill(Chunk& chunk);

  std::vector<std::string> names_;
  RecordFormat format_;
  Framer framer_;
  int ahead_;
  std::optional<uint64_t> total_bytes_;
  bool compressed_ = false;
  std::function<void()> on_long_record_;
  std::unique_ptr<Replay> replay_;  // null if read once
  bool again_ = false;              // rewound

  size_t next_ = 0;                            // in names_
  std::unique_ptr<Source> source_;             // null between files
  std::deque<std::unique_ptr<Source>> later_;  // opened already: those from next_ on
  Buffer carry_;  // the beginning of a record whose end was not in the last chunk
  size_t carried_ = 0;
  uint64_t at_ = 0;    // in the file's text, of what is carried
  uint64_t done_ = 0;  // bytes of all files that are through
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
