// Writes JSON (RFC 8259), indented. Whatever bytes a string has, the text is valid UTF-8.
#ifndef TAMIS_TOOLS_JSON_H_
#define TAMIS_TOOLS_JSON_H_

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace tamis::command {

class Json {
 public:
  Json& BeginObject() { return Begin('{'); }
  Json& EndObject() { return End('}'); }
  Json& BeginArray() { return Begin('['); }
  Json& EndArray() { return End(']'); }
  /// The name of the member whose value comes next.
  Json& Key(std::string_view name);

  Json& Value(std::string_view text);
  Json& Value(const char* text) { return Value(std::string_view(text)); }
  Json& Value(double number);  ///< null if it is not finite
  Json& Value(bool value);
  template <std::integral T>
  Json& Value(T number) {
    return Raw(std::to_string(number));
  }

  template <typename T>
  Json& Member(std::string_view name, const T& value) {
    return Key(name).Value(value);
  }

  /// The text, with a newline at its end.
  std::string Text() const { return text_ + '\n'; }

 private:
  Json& Begin(char bracket);
  Json& End(char bracket);
  Json& Raw(std::string_view text);
  void Place();  // comma, newline and indentation before the next item
  void Quote(std::string_view text);

  std::string text_;
  size_t depth_ = 0;
  bool first_ = true;       // nothing yet in the innermost bracket
  bool after_key_ = false;  // a value comes right here
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_JSON_H_
