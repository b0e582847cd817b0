// Tables as text: CSV by RFC 4180, and the same with another separator, such as a tab.
//
// A field is quoted if its first byte is a quote; then separators and newlines in it are text, a
// quote is written twice, and after the closing quote comes a separator or the end. A quote further
// in is text. Only bytes that may mean something are looked at: a block of 64 bytes yields a mask
// of them.
#ifndef TAMIS_TOOLS_TABLE_H_
#define TAMIS_TOOLS_TABLE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "byte_scan.h"
#include "record_format.h"

namespace tamis::command {

/// Goes through text and stops at each separator and newline that is not quoted.
class TableCursor {
 public:
  /// Goes on where the last call stopped, in the same text or a longer one. Calls
  /// `found(position, whether a record ends)`, until that returns false.
  template <typename F>
  void Scan(std::string_view text, const RecordFormat& format, F&& found) {
    const std::array<char, 3> special = {format.separator, format.delimiter, kQuote};
    ForEachByte(text, std::exchange(at_, text.size()), special, [&](size_t at) {
      const char byte = text[at];
      if (byte == kQuote) {
        // Only where a field begins, and then until the quote that closes it; one that follows a
        // closing quote opens it again, as in "a""b".
        if (quoted_) {
          quoted_ = false;
          closed_at_ = at;
        } else if (at == field_at_ || at == closed_at_ + 1) {
          quoted_ = true;
        }
        return true;
      }
      if (quoted_) return true;
      field_at_ = at + 1;
      closed_at_ = kNever;
      const bool go_on = found(at, byte == format.delimiter);
      if (!go_on) at_ = at + 1;
      return go_on;
    });
  }

  /// Whether the text ended within quotes.
  bool quoted() const { return quoted_; }

 private:
  static constexpr char kQuote = '"';
  static constexpr size_t kNever = SIZE_MAX;

  size_t at_ = 0;  // what was looked at
  size_t field_at_ = 0;
  size_t closed_at_ = kNever;
  bool quoted_ = false;
};

/// The fields of one record, as they stand in it, quotes and all. `record` has no newline behind
/// it. Returns false if quotes are not closed.
bool SplitFields(std::string_view record, const RecordFormat& format,
                 std::vector<std::string_view>& fields);

/// What a field means: without its quotes, and those inside written once. Appends to `text`.
/// Returns false if something follows the closing quote.
bool AppendField(std::string_view field, std::string& text);

/// A field that means `text`, quoted if need be.
std::string QuoteField(std::string_view text, const RecordFormat& format);

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_TABLE_H_
