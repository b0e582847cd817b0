// Where records begin.
#ifndef TAMIS_TOOLS_LINES_H_
#define TAMIS_TOOLS_LINES_H_

#include "chunk.h"
#include "tamis/engine.h"

namespace tamis::command {

/// Fills `records` and `offsets`: offsets[i] is where record i begins and offsets[records] is one
/// past the last record's delimiter, also where that is missing, so that records are
/// Keys::Strings(offsets, text, 1). Not for an oversize chunk.
void FindRecords(Chunk& chunk, char delimiter);

/// Finds the records and hashes them where they lie.
void HashRecords(Chunk& chunk, char delimiter, const Engine& engine, const Spec& spec);

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_LINES_H_
