// The header before a split-block bitset, wherever Parquet puts one:
//
//   BloomFilterHeader { 1: i32 numBytes,  2: union { 1: BLOCK },  3: union { 1: XXHASH },
//                       4: union { 1: UNCOMPRESSED } }      in Thrift's compact protocol
//
// Not installed.
#ifndef TAMIS_CORE_FORMATS_PARQUET_HEADER_H_
#define TAMIS_CORE_FORMATS_PARQUET_HEADER_H_

#include <cstdint>
#include <string>

#include "input_file.h"
#include "tamis/spec.h"

namespace tamis {

struct ParquetHeader {
  uint64_t header_bytes;
  uint64_t bitset_bytes;
};

/// Most bytes that numBytes can say.
inline constexpr uint64_t kMaxParquetBytes = INT32_MAX / 32 * 32;

/// The header at `offset`, with a bitset that lies wholly in the file. Throws FileError.
ParquetHeader ReadParquetHeader(const InputFile& file, uint64_t offset, const std::string& where);

/// The header for a bitset of `bitset_bytes`, as Arrow and DuckDB write it.
std::string ParquetHeaderBytes(uint64_t bitset_bytes);

/// The Spec of a bitset of `bytes`; throws FileError, with `where`, if no filter is that long.
Spec ParquetSpec(uint64_t bytes, const std::string& where);

}  // namespace tamis

#endif  // TAMIS_CORE_FORMATS_PARQUET_HEADER_H_
