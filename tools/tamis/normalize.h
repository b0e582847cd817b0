// Keys made alike that mean the same. The key only: output is always the record as it stood. Doing
// it twice is doing it once.
#ifndef TAMIS_TOOLS_NORMALIZE_H_
#define TAMIS_TOOLS_NORMALIZE_H_

#include <string>
#include <string_view>

namespace tamis::command {

struct Normalization {
  bool trim = false;      ///< no white space of ASCII around it
  bool lower = false;     ///< letters of all scripts in lower case
  bool url = false;       ///< see NormalizedUrl
  bool sort = false;      ///< a URL's parameters in order
  bool tracking = false;  ///< without parameters that only say where a reader came from

  /// "lower,trim,url", in any order, with sort and tracking besides url. Throws InvalidArgument for
  /// anything else.
  static Normalization Parse(std::string_view text);

  bool any() const { return trim || lower || url; }
};

/// Normalises what is in `text` from `begin` on, in place.
void Normalize(const Normalization& how, std::string& text, size_t begin);

std::string_view Trim(std::string_view text);

/// A to Z as a to z; other bytes stay.
void LowerAscii(std::string& text, size_t begin);

/// Each character of UTF-8 as Unicode's simple mapping to lower case has it; bytes that are no
/// UTF-8 stay as they are. Throws InvalidArgument if this build lacks libutf8proc.
void LowerUnicode(std::string& text, size_t begin);

/// RFC 3986, section 6.2.2, and of 6.2.3 what holds for http, https and ftp: scheme and host in
/// lower case, percent-encodings in upper case and resolved where they need not be, dot segments
/// removed, no default port, a path of at least "/"; and no fragment. A text that is no absolute
/// URI by that document stays as it is. Throws InvalidArgument if this build lacks liburiparser.
std::string NormalizedUrl(std::string_view text, const Normalization& how);

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_NORMALIZE_H_
