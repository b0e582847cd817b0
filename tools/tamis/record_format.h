// How a stretch of text is cut into records.
#ifndef TAMIS_TOOLS_RECORD_FORMAT_H_
#define TAMIS_TOOLS_RECORD_FORMAT_H_

#include <cstdint>
#include <string_view>

namespace tamis::command {

struct RecordFormat {
  enum class Framing : uint8_t {
    kDelimited,  ///< each ends in the delimiter
    kTable,      ///< the same, but quoted fields may hold it (RFC 4180, and with tabs)
    kFixed,      ///< `width` bytes each, nothing between them
  };

  Framing framing = Framing::kDelimited;
  char delimiter = '\n';
  char separator = ',';  ///< between fields of a table
  uint32_t width = 0;

  /// What ends a record; empty where nothing does.
  std::string_view end() const {
    return {&delimiter, framing == Framing::kFixed ? size_t{0} : size_t{1}};
  }
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_RECORD_FORMAT_H_
