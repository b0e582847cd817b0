#include "table.h"

namespace tamis::command {

bool SplitFields(std::string_view record, const RecordFormat& format,
                 std::vector<std::string_view>& fields) {
  fields.clear();
  if (record.ends_with('\r')) record.remove_suffix(1);  // of the end of a line in RFC 4180
  TableCursor cursor;
  size_t begin = 0;
  cursor.Scan(record, format, [&](size_t at, bool) {
    fields.push_back(record.substr(begin, at - begin));
    begin = at + 1;
    return true;
  });
  fields.push_back(record.substr(begin));
  return !cursor.quoted();
}

bool AppendField(std::string_view field, std::string& text) {
  if (!field.starts_with('"')) {
    text += field;
    return true;
  }
  for (size_t at = 1; at < field.size();) {
    const size_t quote = field.find('"', at);
    if (quote == std::string_view::npos) return false;
    text += field.substr(at, quote - at);
    if (quote + 1 == field.size()) return true;
    if (field[quote + 1] != '"') return false;
    text += '"';
    at = quote + 2;
  }
  return false;
}

std::string QuoteField(std::string_view text, const RecordFormat& format) {
  const char special[] = {'"', '\r', format.separator, format.delimiter, '\0'};
  if (text.find_first_of(special) == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char byte : text) {
    if (byte == '"') quoted += '"';
    quoted += byte;
  }
  return quoted + '"';
}

}  // namespace tamis::command
