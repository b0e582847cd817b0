// info and query on a Parquet file: filters by column and row group instead of one.
#ifndef TAMIS_TOOLS_PARQUET_VERBS_H_
#define TAMIS_TOOLS_PARQUET_VERBS_H_

#include <string>

#include "input.h"

namespace tamis::command {

/// A line or an object a filter: column, row group, rows, size, and the rate that its bits give.
std::string ParquetText(const std::string& path, bool json);

enum class ParquetAnswer : uint8_t {
  kRowGroups,  ///< each line that some row group may hold, a tab, and their numbers
  kCount,      ///< how many lines there are of those
  kQuiet,      ///< nothing
};

/// Asks the column's filters for every line. `invert` selects the lines that no row group holds.
/// Returns query's exit code.
int QueryParquet(const std::string& path, const std::string& column, Input& input,
                 ParquetAnswer answer, bool invert);

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_PARQUET_VERBS_H_
