#include "paragraphs.h"

#include <algorithm>
#include <charconv>

namespace tamis::command {

namespace {

// An escape at the beginning of `raw`: its own length, and that of the UTF-8 it stands for.
struct Escape {
  size_t raw = 2;
  size_t text = 1;
  bool newline = false;
};

Escape ReadEscape(std::string_view raw) {
  if (raw[1] != 'u') return {.newline = raw[1] == 'n'};
  constexpr size_t kUnit = 6;  // \uXXXX
  unsigned unit = 0;
  std::from_chars(raw.data() + 2, raw.data() + kUnit, unit, 16);
  if (unit >= 0xd800 && unit < 0xe000) return {.raw = 2 * kUnit, .text = 4};  // surrogates: a pair
  const size_t text = unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
  return {.raw = kUnit, .text = text, .newline = unit == '\n'};
}

}  // namespace

void CutParagraphs(const JsonString& string, uint64_t raw_begin, std::vector<Paragraph>& into) {
  const std::string_view raw = string.raw;
  Paragraph open = {.raw_begin = raw_begin};
  const auto close = [&](size_t raw_at, size_t text_at) {
    open.raw_end = raw_begin + raw_at;
    open.end = text_at;
    into.push_back(open);
  };
  size_t text_at = 0;
  size_t at = 0;
  for (;;) {
    const size_t next = std::min(raw.find('\\', at), raw.size());
    text_at += next - at;
    at = next;
    if (at == raw.size()) break;
    const Escape escape = ReadEscape(raw.substr(at));
    if (escape.newline) {
      close(at, text_at);
      open = {.raw_begin = raw_begin + at + escape.raw, .begin = text_at + escape.text};
    }
    at += escape.raw;
    text_at += escape.text;
  }
  close(raw.size(), text_at);
}

uint64_t CountWords(std::string_view text) {
  uint64_t words = 0;
  bool inside = false;
  for (const char byte : text) {
    const bool space = byte == ' ' || (byte >= '\t' && byte <= '\r');
    words += !space && !inside ? 1 : 0;
    inside = !space;
  }
  return words;
}

}  // namespace tamis::command
