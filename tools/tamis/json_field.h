// Fields of JSON records, by simdjson's on-demand parser: a record is parsed as far as the fields
// that are asked for need it.
#ifndef TAMIS_TOOLS_JSON_FIELD_H_
#define TAMIS_TOOLS_JSON_FIELD_H_

#include <string>
#include <string_view>
#include <vector>

namespace tamis::command {

/// The way to a value: names of members, and where there is an array, the index of an element.
/// "author.name", "urls.0"; a dot that is part of a name is written \. .
class JsonPath {
 public:
  /// Throws InvalidArgument if a step is empty.
  explicit JsonPath(std::string_view text);

  const std::string& text() const { return text_; }
  const std::vector<std::string>& steps() const { return steps_; }

 private:
  std::string text_;
  std::vector<std::string> steps_;
};

/// Whether this build can: throws InvalidArgument, in one line, if it lacks the library.
void RequireJson();

/// Appends what is at `path`: the text of a string, with its escapes resolved; else the value as it
/// stands. `record` has kTextPadding bytes of memory behind it. Returns what is wrong, or nothing:
/// that it is no JSON, that nothing is there, that it is null.
std::string_view AppendJsonField(std::string_view record, const JsonPath& path, std::string& text);

/// A string in a record: as it stands between its quotes, and what that means. The text lives until
/// the thread parses another record.
struct JsonString {
  std::string_view raw;
  std::string_view text;
};

/// Finds a string. Returns what is wrong, as above.
std::string_view FindJsonString(std::string_view record, const JsonPath& path, JsonString& string);

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_JSON_FIELD_H_
