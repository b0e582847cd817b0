// How fields of a file are refused: one line with the file, the field, its value and what was
// expected. Not installed.
#ifndef TAMIS_CORE_CHECKER_H_
#define TAMIS_CORE_CHECKER_H_

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "tamis/error.h"

namespace tamis {

inline std::string Text(uint64_t value) { return std::to_string(value); }

inline std::string Text(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.17g", value);
  return buffer;
}

inline std::string Hex(uint64_t value) {
  char buffer[19];
  std::snprintf(buffer, sizeof buffer, "0x%016llx", static_cast<unsigned long long>(value));
  return buffer;
}

/// Throws FileError, its message beginning with `where`, unless a field is right.
class Checker {
 public:
  /// `where` is the file's name, and the part; it must outlive the checker.
  explicit Checker(const std::string& where) : where_(where) {}

  template <typename T>
  void operator()(bool right, std::string_view field, T value, std::string_view expected) const {
    if (!right) Refuse(field, Text(value), expected);
  }

  [[noreturn]] void Refuse(std::string_view field, std::string_view value,
                           std::string_view expected) const {
    std::string message = where_ + ": ";
    message.append(field).append(" ").append(value).append(": expected ").append(expected);
    throw FileError(message);
  }

 private:
  const std::string& where_;
};

}  // namespace tamis

#endif  // TAMIS_CORE_CHECKER_H_
