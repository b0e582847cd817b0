// What it takes to read the same input twice. A regular file is there to be read again, and must
// still be the same; of anything else, such as a pipe, a copy is kept in a temporary file.
#ifndef TAMIS_TOOLS_REPLAY_H_
#define TAMIS_TOOLS_REPLAY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "descriptor.h"
#include "temporary_file.h"

namespace tamis::command {

class Replay {
 public:
  /// Names of files as Input has them, before any of them is read. Throws FileError if one is gone.
  explicit Replay(const std::vector<std::string>& names);

  /// Where what is read of file i the first time is to be copied to; null if that is not needed.
  TemporaryFile* CopyOf(size_t i) { return inputs_[i].copy.get(); }

  /// Before files are read once more. Throws FileError if one has changed since the first time.
  void Rewind();
  /// File i's copy, to be read from its beginning; not open if it has none.
  Descriptor Open(size_t i) const;

 private:
  struct Once {
    std::string name;
    struct stat status;
    uint64_t position;  // where standard input began
    std::unique_ptr<TemporaryFile> copy;
  };

  std::vector<Once> inputs_;
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_REPLAY_H_
