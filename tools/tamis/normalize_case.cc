// Letters beyond ASCII in lower case, by utf8proc, which knows Unicode's tables.

#include <utf8proc.h>

#include <array>

#include "normalize.h"

namespace tamis::command {

void LowerUnicode(std::string& text, size_t begin) {
  std::string lowered;
  lowered.reserve(text.size() - begin);
  std::array<utf8proc_uint8_t, 4> bytes;
  for (size_t i = begin; i < text.size();) {
    const auto* at = reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + i;
    utf8proc_int32_t character = 0;
    utf8proc_ssize_t size =
        utf8proc_iterate(at, static_cast<utf8proc_ssize_t>(text.size() - i), &character);
    const utf8proc_int32_t lower = size > 0 ? utf8proc_tolower(character) : character;
    if (lower == character) {
      if (size <= 0) size = 1;  // no UTF-8: the byte stays as it is
      lowered.append(text, i, static_cast<size_t>(size));
    } else {
      const utf8proc_ssize_t length = utf8proc_encode_char(lower, bytes.data());
      lowered.append(bytes.begin(), bytes.begin() + length);
    }
    i += static_cast<size_t>(size);
  }
  text.resize(begin);
  text += lowered;
}

}  // namespace tamis::command
