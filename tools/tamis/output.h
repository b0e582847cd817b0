// Where records go: gathered into large writes, compressed if the name says so, and put under that
// name only when whole.
#ifndef TAMIS_TOOLS_OUTPUT_H_
#define TAMIS_TOOLS_OUTPUT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "buffer.h"
#include "chunk.h"
#include "codec.h"
#include "descriptor.h"
#include "input.h"
#include "tamis/atomic_file.h"

namespace tamis::command {

/// Where an output stood, so that another process can go on from there.
struct OutputMark {
  uint64_t length = 0;    ///< bytes in the file, compressed where they are
  bool owes_end = false;  ///< the last record had no delimiter: one comes before the next
};

class Output {
 public:
  /// "-" is standard output. A regular file, new or there already, is written beside its name and
  /// renamed by Commit; a device or a pipe is written to directly. Compressed by FromSuffix(name).
  /// `record_end` is what ends a record. Throws FileError.
  explicit Output(std::string name, std::string_view record_end = "\n");
  /// One that another process can go on with: a regular file, which grows in PartialName(name) from
  /// `mark` on. Throws InvalidArgument for anything else.
  Output(std::string name, std::string_view record_end, const OutputMark& mark);

  /// Writes the records of a chunk whose bit in `bits` is `wanted`, as they stand. A record without
  /// delimiter gets one if another follows it here.
  void AppendRecords(const Chunk& chunk, const std::vector<uint8_t>& bits, bool wanted);
  /// Whole records, the last of them `unterminated` or not.
  void AppendText(std::string_view text, bool unterminated);
  void Append(std::string_view text);
  /// Hands everything on to the system.
  void Flush();
  /// The same, where someone may be waiting at the other end.
  void FlushPipe() {
    if (file_ == nullptr) Flush();
  }
  /// Brings all so far to disk, compressed as members of its own, and says where it stands.
  OutputMark Save();
  /// Flushes, and puts a file under its name.
  void Commit(Durability durability);

  const std::string& name() const { return name_; }
  /// What it writes to, or will replace, if that exists.
  const std::optional<struct stat>& status() const { return status_; }

 private:
  void EndMember();
  void AppendRun(const Chunk& chunk, uint64_t first, uint64_t end);
  void Put(std::string_view text);    // to the encoder, or else
  void Write(std::string_view text);  // to the file

  std::string name_;
  std::string record_end_;
  std::optional<struct stat> status_;
  Descriptor direct_;                 // or else
  std::unique_ptr<AtomicFile> file_;  // this
  std::unique_ptr<Encoder> encoder_;  // null if as it stands
  bool in_member_ = false;            // the encoder has text of a member that has not ended
  Buffer buffer_;
  size_t used_ = 0;
  bool owes_end_ = false;  // the last record written had none
};

/// Throws FileError if no file of that name could be saved: better now than after hours of work.
void RequireWritable(const std::string& name);

/// Throws InvalidArgument if what `output`, or the file of that name, replaces is also read.
void RequireNoInput(const Output& output, const Input& input);
void RequireNoInput(const std::string& output, const Input& input);

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_OUTPUT_H_
