// Where the records of a chunk begin.
#ifndef TAMIS_TOOLS_RECORDS_H_
#define TAMIS_TOOLS_RECORDS_H_

#include <string_view>

#include "chunk.h"
#include "record_format.h"

namespace tamis::command {

/// Fills `records`, `offsets` and `gap`: offsets[i] is where record i begins and offsets[records]
/// is one past the last record's delimiter, also where that is missing, so that records are
/// Keys::Strings(offsets, text, gap). Of an oversize chunk only `records`, which is 1, and `gap`.
void FindRecords(Chunk& chunk, const RecordFormat& format);

/// Record i, without its delimiter, once they are found.
std::string_view RecordAt(const Chunk& chunk, uint64_t i);

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_RECORDS_H_
