// What passes through the stages: a stretch of input that holds whole records, and what each stage
// has found out about them.
//
//   read     text, one chunk after the other
//   prepare  offsets and hashes, many chunks at once
//   filter   answers, in order
//   write    the text of the records wanted, in order
#ifndef TAMIS_TOOLS_CHUNK_H_
#define TAMIS_TOOLS_CHUNK_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "buffer.h"
#include "tamis/answers.h"
#include "tamis/keys.h"

namespace tamis::command {

/// Text in a chunk of several records. A record longer than this is a chunk of its own. Small
/// enough that a chunk stays in the second-level cache from reading to writing.
inline constexpr size_t kChunkBytes = size_t{256} << 10;

struct Chunk {
  Buffer buffer;
  size_t size = 0;            ///< bytes of text in the buffer
  bool unterminated = false;  ///< the last record ends without a delimiter
  bool paused = false;        ///< the source had no more to give just then
  uint64_t input_bytes = 0;   ///< read from all inputs up to the end of this chunk

  uint64_t records = 0;
  std::vector<uint32_t> offsets;  ///< of records, and of the end; only grows, see FindRecords
  std::vector<uint64_t> hashes;   ///< of records, hash_words each; only grows
  int hash_words = 1;
  std::vector<uint8_t> answers;  ///< one bit a record; only grows
  uint64_t answered = 0;         ///< ones among the answers

  std::string_view text() const { return {buffer.data(), size}; }
  /// Whether the text is one record, too long for 32-bit offsets to be relied on.
  bool oversize() const { return size > kChunkBytes; }
  void MakeAnswers() {
    if (answers.size() < AnswerBytes(records)) answers.resize(AnswerBytes(records));
  }
  Keys HashedKeys() const {
    return Keys::Hashes({hashes.data(), records * static_cast<uint64_t>(hash_words)}, hash_words);
  }
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_CHUNK_H_
