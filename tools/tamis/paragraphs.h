// Documents by the paragraph: every line of a text field is a key.
//
// A record's keys are asked together and then put in together, so that no record is its own
// duplicate: a paragraph that stands twice in one record is one key of it.
#ifndef TAMIS_TOOLS_PARAGRAPHS_H_
#define TAMIS_TOOLS_PARAGRAPHS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "json_field.h"

namespace tamis::command {

struct ParagraphRule {
  JsonPath field;
  uint64_t min_bytes = 1;  ///< shorter ones, once normalised, are no keys, and so never repeated
  uint64_t min_words = 1;  ///< the same for those of fewer words
};

struct Paragraph {
  static constexpr uint64_t kNoKey = UINT64_MAX;

  uint64_t raw_begin = 0;  ///< in the record, as it stands there
  uint64_t raw_end = 0;
  uint64_t begin = 0;  ///< in the field's text, in bytes of UTF-8
  uint64_t end = 0;    ///< without the newline behind it
  uint64_t key = kNoKey;

  uint64_t bytes() const { return end - begin; }
};

/// Cuts a string at its newlines, however they are written, and appends the pieces. `raw_begin` is
/// where string.raw begins in its record.
void CutParagraphs(const JsonString& string, uint64_t raw_begin, std::vector<Paragraph>& into);

/// Words, with white space of ASCII between them.
uint64_t CountWords(std::string_view text);

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_PARAGRAPHS_H_
