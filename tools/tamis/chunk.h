// What passes through the stages: a stretch of input that holds whole records, and what each stage
// has found out about them.
//
//   read     text, one chunk after the other
//   prepare  offsets, keys and their hashes, many chunks at once
//   filter   answers, in order
//   render   what is to be written, many chunks at once
//   write    the text of the records wanted, in order
#ifndef TAMIS_TOOLS_CHUNK_H_
#define TAMIS_TOOLS_CHUNK_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "buffer.h"
#include "paragraphs.h"
#include "tamis/answers.h"
#include "tamis/keys.h"

namespace tamis::command {

/// Text in a chunk of several records. A record longer than this is a chunk of its own. Small
/// enough that a chunk stays in the second-level cache from reading to writing.
inline constexpr size_t kChunkBytes = size_t{256} << 10;

/// Bytes of memory behind a chunk's text, for whoever reads by the register.
inline constexpr size_t kTextPadding = 64;

/// Keys that were made from records: back to back, as Keys::Strings takes them.
struct KeyTexts {
  std::string bytes;
  std::vector<uint64_t> ends;  ///< a 0, and where each key ends

  void Clear() {
    bytes.clear();
    ends.assign(1, 0);
  }
  void End() { ends.push_back(bytes.size()); }
  /// Forgets what was appended since the last End().
  void Undo() { bytes.resize(ends.back()); }
  Keys AsKeys() const { return Keys::Strings(ends, bytes.data()); }
};

/// Records that no key could be made from.
struct BadRecords {
  std::vector<uint64_t> indices;
  std::string first;  ///< what was wrong with the first of them

  void Clear() { indices.clear(); }
  bool empty() const { return indices.empty(); }
  void Add(uint64_t index, std::string_view what) {
    if (indices.empty()) first = what;
    indices.push_back(index);
  }
};

struct Chunk {
  // read
  Buffer buffer;
  size_t begin = 0;           ///< of the text in the buffer, after the header of a table
  size_t size = 0;            ///< bytes of text
  bool unterminated = false;  ///< the last record ends without a delimiter
  bool paused = false;        ///< the source had no more to give just then
  uint64_t input_bytes = 0;   ///< read from all inputs, about to the end of this chunk
  size_t file = 0;            ///< which of the inputs it is from
  uint64_t file_offset = 0;   ///< of the text in what that file holds
  std::string header;         ///< of the table that begins here, to go before the records

  // prepare
  uint64_t records = 0;
  std::vector<uint32_t> offsets;  ///< of records, and of the end; only grows, see FindRecords
  uint32_t gap = 1;               ///< bytes of a delimiter
  uint64_t keys = 0;
  std::vector<uint64_t> hashes;  ///< of keys, hash_words each; only grows
  int hash_words = 1;
  KeyTexts texts;  ///< of keys that do not lie in the text as they are
  BadRecords bad;
  std::vector<Paragraph> paragraphs;      ///< of all records, where they are the keys
  std::vector<uint64_t> first_paragraph;  ///< of each record, and the end
  std::vector<uint64_t> joined;  ///< which of the texts each key is, where paragraphs are the keys

  // filter
  std::vector<uint8_t> answers;  ///< one bit a key; only grows
  uint64_t answered = 0;         ///< ones among the answers
  bool decided = true;           ///< the answers will not change any more

  // after it
  std::vector<uint8_t> kept;    ///< one bit a record, where that is not the same as a key
  std::vector<uint8_t> others;  ///< the same, for the duplicates
  std::string rendered;         ///< the records kept, where they are not written as they stand
  uint64_t dropped = 0;         ///< records of which too much is repeated

  std::string_view text() const { return {buffer.data() + begin, size}; }
  /// Whether the text is one record, too long for 32-bit offsets to be relied on.
  bool oversize() const { return size > kChunkBytes; }
  /// Room for hashes of `words` words each.
  void MakeHashes(int words) {
    hash_words = words;
    const uint64_t needed = keys * static_cast<uint64_t>(words);
    if (hashes.size() < needed) hashes.resize(needed + needed / 8);
  }
  void MakeAnswers() {
    if (answers.size() < AnswerBytes(keys)) answers.resize(AnswerBytes(keys));
  }
  Keys HashedKeys() const {
    return Keys::Hashes({hashes.data(), keys * static_cast<uint64_t>(hash_words)}, hash_words);
  }
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_CHUNK_H_
