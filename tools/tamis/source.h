// Where text comes from: a file or a pipe as it stands, or what a compressed one holds. What a
// source is, its first bytes say, not its name.
//
// Compressed files are decompressed by a thread of their own, which runs ahead by as much as fits
// into a ring of blocks:
//
//   file --> decoder --> [block][block][block]... --> Read
//            its thread                               the reading stage
#ifndef TAMIS_TOOLS_SOURCE_H_
#define TAMIS_TOOLS_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "descriptor.h"
#include "temporary_file.h"

namespace tamis::command {

class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  /// Up to `bytes` bytes of text; 0 at the end. Throws FileError, with name and offset where the
  /// file is damaged, or Interrupted.
  virtual size_t Read(char* into, size_t bytes) = 0;
  /// False if a read would have to wait for whoever writes to the other end of a pipe.
  virtual bool Ready() = 0;
  /// Passes over so many bytes of text, before anything is read. Throws FileError if there are
  /// fewer.
  virtual void Skip(uint64_t bytes);
  /// Bytes of the file that were read so far, compressed as they are.
  virtual uint64_t consumed() const = 0;
};

/// Takes over an open file. Reads its first bytes. What is read of the file also goes to `copy`,
/// unless that is null.
std::unique_ptr<Source> MakeSource(Descriptor file, std::string name,
                                   TemporaryFile* copy = nullptr);

/// Whether what comes next in a regular file is compressed, without reading on in it.
bool IsCompressed(int fd);

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_SOURCE_H_
