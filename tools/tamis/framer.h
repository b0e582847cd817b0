// Where records end, in text that arrives piece by piece.
#ifndef TAMIS_TOOLS_FRAMER_H_
#define TAMIS_TOOLS_FRAMER_H_

#include <cstddef>

#include "record_format.h"
#include "table.h"

namespace tamis::command {

class Framer {
 public:
  explicit Framer(const RecordFormat& format) : format_(format) {}

  /// Text that begins with a record comes next.
  void Begin() { table_ = TableCursor(); }

  /// Of `size` bytes of text the first `known` were shown already. Returns where the last whole
  /// record ends, or with `first` the first one that ends behind `known`: 0 if none does.
  size_t EndOf(const char* text, size_t known, size_t size, bool first);

 private:
  RecordFormat format_;
  TableCursor table_;
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_FRAMER_H_
