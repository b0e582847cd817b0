// Bloom filters inside Parquet files: one for each column and row group that its writer gave one
// (https://github.com/apache/parquet-format/blob/master/BloomFilter.md). They answer which row
// groups may hold a value, without reading any.
#ifndef TAMIS_PARQUET_H_
#define TAMIS_PARQUET_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tamis/filter.h"

namespace tamis {

/// Physical types, by their numbers in the format. What a filter hashes is a value's PLAIN
/// encoding: little-endian for numbers, the bytes without their length for byte arrays.
enum class ParquetType : int32_t {
  kBoolean = 0,
  kInt32 = 1,
  kInt64 = 2,
  kInt96 = 3,
  kFloat = 4,
  kDouble = 5,
  kByteArray = 6,
  kFixedLenByteArray = 7,
};

/// "INT64".
std::string_view NameOf(ParquetType type);

/// Where one column's filter for one row group lies.
struct ParquetFilter {
  std::string column;  ///< its path in the schema, with dots between the names
  ParquetType type;
  uint64_t row_group;  ///< from 0
  uint64_t rows;       ///< in that row group
  uint64_t offset;     ///< of the bitset in the file, behind its header
  uint64_t bytes;      ///< of the bitset
};

/// Whether a file begins as Parquet files do. False also if it cannot be read.
bool IsParquet(const std::string& path);

struct ParquetFilters {
  uint64_t row_groups = 0;             ///< in the file; any of them may lack filters
  std::vector<ParquetFilter> filters;  ///< by row group, then as columns come
};

/// All filters of a Parquet file. Throws FileError for a file that is damaged, or encrypted.
ParquetFilters ListParquetFilters(const std::string& path);

/// One of them. How many keys went in is not told: inserted() is what the bits make likely.
Filter ReadParquetFilter(const std::string& path, const ParquetFilter& place);

}  // namespace tamis

#endif  // TAMIS_PARQUET_H_
