// Where records go: gathered into large writes, and put under their name only when whole.
#ifndef TAMIS_TOOLS_OUTPUT_H_
#define TAMIS_TOOLS_OUTPUT_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "buffer.h"
#include "chunk.h"
#include "descriptor.h"
#include "input.h"
#include "tamis/atomic_file.h"

namespace tamis::command {

class Output {
 public:
  /// "-" is standard output. A regular file, new or there already, is written beside its name and
  /// renamed by Commit; a device or a pipe is written to directly. Throws FileError.
  Output(std::string name, char delimiter);

  /// Writes the records of a chunk whose answer is `wanted`, as they stand. A record without
  /// delimiter gets one if another follows it here.
  void AppendRecords(const Chunk& chunk, bool wanted);
  void Append(std::string_view text);
  /// Hands everything on to the system.
  void Flush();
  /// The same, where someone may be waiting at the other end.
  void FlushPipe() {
    if (file_ == nullptr) Flush();
  }
  /// Flushes, and puts a file under its name.
  void Commit(Durability durability);

  const std::string& name() const { return name_; }
  /// What it writes to, or will replace, if that exists.
  const std::optional<struct stat>& status() const { return status_; }

 private:
  void AppendRun(const Chunk& chunk, uint64_t first, uint64_t end);

  std::string name_;
  char delimiter_;
  std::optional<struct stat> status_;
  Descriptor direct_;                 // or else
  std::unique_ptr<AtomicFile> file_;  // this
  Buffer buffer_;
  size_t used_ = 0;
  bool owes_delimiter_ = false;  // the last record written had none
};

/// Throws FileError if no file of that name could be saved: better now than after hours of work.
void RequireWritable(const std::string& name);

/// Throws InvalidArgument if what `output`, or the file of that name, replaces is also read.
void RequireNoInput(const Output& output, const Input& input);
void RequireNoInput(const std::string& output, const Input& input);

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_OUTPUT_H_
