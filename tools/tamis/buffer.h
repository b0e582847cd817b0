// Bytes that grow without being cleared and without being copied where the system can move pages:
// a line of a gigabyte is read into one.
#ifndef TAMIS_TOOLS_BUFFER_H_
#define TAMIS_TOOLS_BUFFER_H_

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace tamis::command {

class Buffer {
 public:
  char* data() const { return data_.get(); }
  size_t capacity() const { return capacity_; }

  /// At least `bytes` of room; what was there stays.
  void Reserve(size_t bytes) {
    if (bytes <= capacity_) return;
    void* grown = std::realloc(data_.get(), bytes);
    if (grown == nullptr) throw std::bad_alloc();
    static_cast<void>(data_.release());
    data_.reset(static_cast<char*>(grown));
    capacity_ = bytes;
  }

  /// Gives memory back if there is more than `bytes` of it. What was there is lost.
  void Trim(size_t bytes) {
    if (capacity_ <= bytes) return;
    data_.reset();
    capacity_ = 0;
  }

 private:
  struct Free {
    void operator()(char* data) const { std::free(data); }
  };
  std::unique_ptr<char, Free> data_;
  size_t capacity_ = 0;
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_BUFFER_H_
