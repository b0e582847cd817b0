// The native file, `.tamis`: a page of header, then the filter's bytes as they are in memory, so
// that a file can be mapped and shared. The layout, byte by byte, stands in core/README.md.
//
// Nothing read is trusted: every field is checked against its range and against the file's length
// before anything is allocated, and the length must be exact. Writing is by AtomicFile
// (tamis/atomic_file.h): whatever happens, the name holds the old content or the new, whole.
#ifndef TAMIS_FILE_H_
#define TAMIS_FILE_H_

#include <string>
#include <variant>

#include "tamis/filter.h"
#include "tamis/scalable.h"
#include "tamis/windowed.h"

namespace tamis {

/// What a file can hold.
using AnyFilter = std::variant<Filter, ScalableFilter, WindowedFilter>;

/// How bytes get into memory.
enum class LoadMode {
  kRead,  ///< into memory of its own, writable, checksums verified
  kMap,   ///< mapped read-only and shared: headers and lengths are verified, bodies are not
          ///< (VerifyFile does that). Replace a mapped file by Save or rename, as ever; a program
          ///< that cuts it short in place takes the memory from under its readers.
};

/// Writes a filter to `path`, by temporary file, fsync and rename. `path` may be the file that the
/// filter is mapped from. Throws FileError; then the file is as it was.
void Save(const Filter& filter, const std::string& path);
void Save(const ScalableFilter& filter, const std::string& path);
void Save(const WindowedFilter& filter, const std::string& path);
void Save(const AnyFilter& filter, const std::string& path);

/// Reads a filter of any kind. A filter by a keyed hash (siphash_2_4) needs the `secret` that it
/// was made with, which no file holds; others ignore it. Throws FileError, naming the file, the
/// field, its value and what was expected; MemoryError if it is larger than MemoryLimit() or the
/// system refuses (kMap needs no memory of its own).
AnyFilter Load(const std::string& path, LoadMode mode = LoadMode::kRead, const Secret& secret = {});

/// The same for callers who know the kind; FileError if the file holds another one.
Filter LoadFilter(const std::string& path, LoadMode mode = LoadMode::kRead,
                  const Secret& secret = {});
ScalableFilter LoadScalable(const std::string& path, LoadMode mode = LoadMode::kRead,
                            const Secret& secret = {});
WindowedFilter LoadWindowed(const std::string& path, LoadMode mode = LoadMode::kRead,
                            const Secret& secret = {});

/// Reads the whole file, a piece at a time, and checks every header, checksum and byte of padding.
/// Throws FileError at the first that is wrong.
void VerifyFile(const std::string& path);

}  // namespace tamis

#endif  // TAMIS_FILE_H_
