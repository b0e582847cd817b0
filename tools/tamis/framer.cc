#include "framer.h"

#include <cstring>

namespace tamis::command {

size_t Framer::EndOf(const char* text, size_t known, size_t size, bool first) {
  if (known == size) return 0;
  switch (format_.framing) {
    case RecordFormat::Framing::kDelimited: {
      const char* fresh = text + known;
      const void* hit = first ? std::memchr(fresh, format_.delimiter, size - known)
                              : memrchr(fresh, format_.delimiter, size - known);
      return hit == nullptr ? 0 : static_cast<size_t>(static_cast<const char*>(hit) - text) + 1;
    }
    case RecordFormat::Framing::kFixed:  // which are never longer than a chunk
      return size / format_.width * format_.width;
    case RecordFormat::Framing::kTable: {
      size_t end = 0;
      table_.Scan({text, size}, format_, [&](size_t at, bool ends_record) {
        if (ends_record) end = at + 1;
        return !(first && end != 0);
      });
      return end;
    }
  }
  return 0;
}

}  // namespace tamis::command
