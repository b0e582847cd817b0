// The native file, `.tamis`: a page of header, then the filter's bytes as they are in memory, so
// that a file can be mapped and shared. The layout, byte by byte, stands in core/README.md.
//
// Nothing read is trusted: every field is checked against its range and against the file's length
// before anything is allocated. Writing goes to a temporary file beside the target, which is synced
// and renamed: whatever happens, the name holds the old content or the new, whole.
#ifndef TAMIS_FILE_H_
#define TAMIS_FILE_H_

#include <string>
#include <variant>

#include "tamis/filter.h"
#include "tamis/scalable.h"

namespace tamis {

/// What a file can hold.
using AnyFilter = std::variant<Filter, ScalableFilter>;

/// How bytes get into memory.
enum class LoadMode {
  kRead,  ///< into memory of its own, writable, checksums verified
  kMap,  ///< mapped read-only and shared; the header is verified, the body is not (VerifyFile does)
};

/// Writes a filter to `path`, by temporary file, fsync and rename. Throws FileError.
void Save(const Filter& filter, const std::string& path);
void Save(const ScalableFilter& filter, const std::string& path);
void Save(const AnyFilter& filter, const std::string& path);

/// Reads a filter of either kind. Throws FileError, naming the file, the field, its value and what
/// was expected; MemoryError if it does not fit.
AnyFilter Load(const std::string& path, LoadMode mode = LoadMode::kRead);

/// The same for callers who know the kind; FileError if the file holds the other one.
Filter LoadFilter(const std::string& path, LoadMode mode = LoadMode::kRead);
ScalableFilter LoadScalable(const std::string& path, LoadMode mode = LoadMode::kRead);

/// Reads the whole file and checks every checksum. Throws FileError at the first that differs.
void VerifyFile(const std::string& path);

}  // namespace tamis

#endif  // TAMIS_FILE_H_
