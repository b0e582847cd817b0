// Keys that wait in a temporary file until there is memory to decide about them.
#ifndef TAMIS_TOOLS_KEY_SPILL_H_
#define TAMIS_TOOLS_KEY_SPILL_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "buffer.h"
#include "numbered_key.h"
#include "temporary_file.h"

namespace tamis::command {

class KeySpill {
 public:
  /// Takes memory for `buffer_bytes` when the first key comes.
  explicit KeySpill(size_t buffer_bytes) : buffer_bytes_(buffer_bytes) {}

  void Append(const NumberedKey& key);
  bool empty() const { return used_ == 0 && !file_; }

  /// Nothing more is to come: gives the memory back.
  void Close();
  /// Once, after Close: every key, in the order in which they came. Its bytes stay until the next
  /// one. The file is given back.
  void Drain(const std::function<void(const NumberedKey&)>& call);

 private:
  void Put(const void* data, size_t bytes);
  void Flush();

  size_t buffer_bytes_;
  Buffer buffer_;
  size_t used_ = 0;
  std::optional<TemporaryFile> file_;
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_KEY_SPILL_H_
