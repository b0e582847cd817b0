// A filter's bits between a file and memory, for formats whose words are not where a mapped filter
// could use them. Not installed.
#ifndef TAMIS_CORE_FORMATS_BODY_H_
#define TAMIS_CORE_FORMATS_BODY_H_

#include <bit>
#include <cstdint>
#include <string>

#include "input_file.h"
#include "tamis/atomic_file.h"
#include "tamis/filter.h"

namespace tamis {

/// An empty filter for what a file at `where` holds. Throws FileError for a Spec that is none, and
/// MemoryError.
Filter EmptyFilter(const Plan& plan, const std::string& where);

/// Fills a filter from `offset` on, with bytes or with 64-bit words of that byte order. The caller
/// has compared the lengths. Throws FileError if a bit past the filter's last is set.
void ReadBody(const InputFile& file, uint64_t offset, std::endian order, Filter& filter,
              const std::string& where);

/// For bodies that come in pieces: the check that ReadBody makes at its end.
void CheckStrayBits(const Filter& filter, const std::string& where);

/// Appends a filter's bytes, as words of that byte order.
void AppendBody(AtomicFile& out, const Filter& filter, std::endian order);

/// Makes inserted() what the bits make likely, for formats that do not say: the number of keys that
/// would be expected to set as many.
void EstimateInserted(Filter& filter);

}  // namespace tamis

#endif  // TAMIS_CORE_FORMATS_BODY_H_
