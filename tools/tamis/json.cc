#include "json.h"

#include <fmt/format.h>

#include <cmath>

namespace tamis::command {

namespace {

// Bytes of the well-formed UTF-8 sequence at the beginning of `text`, or 0 (Unicode, table 3-7).
size_t SequenceLength(std::string_view text) {
  const auto at = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto follows = [&](size_t i, unsigned low = 0x80, unsigned high = 0xbf) {
    return at(i) >= low && at(i) <= high;
  };
  const unsigned lead = at(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return follows(1) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    const bool second = follows(1, lead == 0xe0 ? 0xa0 : 0x80, lead == 0xed ? 0x9f : 0xbf);
    return second && follows(2) ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const bool second = follows(1, lead == 0xf0 ? 0x90 : 0x80, lead == 0xf4 ? 0x8f : 0xbf);
    return second && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

void Json::Place() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (!first_) text_ += ',';
  if (depth_ > 0) {
    text_ += '\n';
    text_.append(2 * depth_, ' ');
  }
  first_ = false;
}

Json& Json::Begin(char bracket) {
  Place();
  text_ += bracket;
  ++depth_;
  first_ = true;
  return *this;
}

Json& Json::End(char bracket) {
  --depth_;
  if (!first_) {
    text_ += '\n';
    text_.append(2 * depth_, ' ');
  }
  text_ += bracket;
  first_ = false;
  return *this;
}

Json& Json::Raw(std::string_view text) {
  Place();
  text_ += text;
  return *this;
}

void Json::Quote(std::string_view text) {
  text_ += '"';
  while (!text.empty()) {
    const size_t length = SequenceLength(text);
    const auto byte = static_cast<unsigned char>(text.front());
    if (length == 0) {
      text_ += "\\ufffd";
    } else if (byte < 0x20) {
      text_ += fmt::format("\\u{:04x}", byte);
    } else {
      if (byte == '"' || byte == '\\') text_ += '\\';
      text_ += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  text_ += '"';
}

Json& Json::Key(std::string_view name) {
  Place();
  Quote(name);
  text_ += ": ";
  after_key_ = true;
  return *this;
}

Json& Json::Value(std::string_view text) {
  Place();
  Quote(text);
  return *this;
}

Json& Json::Value(double number) {
  return Raw(std::isfinite(number) ? fmt::format("{}", number) : "null");
}

Json& Json::Value(bool value) { return Raw(value ? "true" : "false"); }

}  // namespace tamis::command
