// How many records are in files, without reading them whole.
#ifndef TAMIS_TOOLS_ESTIMATE_H_
#define TAMIS_TOOLS_ESTIMATE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace tamis::command {

/// At most so many records, very probably: from the density of delimiters in blocks spread evenly
/// over the files, plus five times that mean's uncertainty. Exact for small input. Names as Input
/// takes them, all regular files.
uint64_t EstimateRecords(const std::vector<std::string>& names, char delimiter);

/// About so many records, where files are compressed: from the beginning of the first, and
/// `total_bytes` of all as they are. It may be far off. Throws as reading that file does.
uint64_t GuessRecords(const std::vector<std::string>& names, char delimiter, uint64_t total_bytes);

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_ESTIMATE_H_
