#include "normalize.h"

#include <algorithm>

#include "tamis/error.h"

namespace tamis::command {

Normalization Normalization::Parse(std::string_view text) {
  Normalization how;
  const std::string all(text);
  while (true) {
    const size_t comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    if (word == "trim") {
      how.trim = true;
    } else if (word == "lower") {
      how.lower = true;
    } else if (word == "url") {
      how.url = true;
    } else if (word == "sort") {
      how.url = how.sort = true;
    } else if (word == "tracking") {
      how.url = how.tracking = true;
    } else {
      throw InvalidArgument("--normalize " + all +
                            ": it takes lower, trim, url, sort and tracking, with commas between");
    }
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  // Refuse now what they would refuse later.
  if (how.url) NormalizedUrl("http://a/", how);
  std::string nothing;
  if (how.lower) LowerUnicode(nothing, 0);
  return how;
}

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\v\f\r";
  const size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) + 1 - first);
}

void LowerAscii(std::string& text, size_t begin) {
  for (size_t i = begin; i < text.size(); ++i) {
    const bool upper = text[i] >= 'A' && text[i] <= 'Z';
    text[i] = static_cast<char>(text[i] | (upper ? 0x20 : 0));
  }
}

namespace {

void Lower(std::string& text, size_t begin) {
  LowerAscii(text, begin);
  const std::string_view all = std::string_view(text).substr(begin);
  const bool ascii = std::ranges::none_of(all, [](char c) { return (c & 0x80) != 0; });
  if (!ascii) LowerUnicode(text, begin);
}

}  // namespace

void Normalize(const Normalization& how, std::string& text, size_t begin) {
  if (how.trim || how.url) {
    const std::string_view all = std::string_view(text).substr(begin);
    const std::string_view inner = how.trim ? Trim(all) : all;
    const std::string changed = how.url ? NormalizedUrl(inner, how) : std::string(inner);
    text.resize(begin);
    text += changed;
  }
  if (how.lower) Lower(text, begin);
}

#ifndef TAMIS_HAVE_UTF8PROC
void LowerUnicode(std::string&, size_t) {
  throw InvalidArgument("lower: this tamis was built without libutf8proc");
}
#endif

#ifndef TAMIS_HAVE_URI
std::string NormalizedUrl(std::string_view, const Normalization&) {
  throw InvalidArgument("URLs: this tamis was built without liburiparser");
}
#endif

}  // namespace tamis::command
