// Memory that a backend uses again in every call: it only grows, and asks for huge pages as a
// filter's does, since hashes and answers of a chunk are written and read at scattered places.
#ifndef TAMIS_TBB_SCRATCH_H_
#define TAMIS_TBB_SCRATCH_H_

#include <cstdint>
#include <optional>
#include <type_traits>

#include "tamis/storage.h"

namespace tamis {

template <typename T>
class Scratch {
  static_assert(std::is_trivial_v<T>);

 public:
  /// Makes room for `size` elements. If there was less, what it held is gone, and all is zero.
  /// Throws MemoryError.
  void Reserve(uint64_t size) {
    if (size <= size_) return;
    size_ = 0;  // should the next line throw
    memory_.reset();
    memory_.emplace(Storage::Zeroed(size * sizeof(T)));
    size_ = size;
  }

  T* data() const { return reinterpret_cast<T*>(memory_->data()); }
  T& operator[](uint64_t i) const { return data()[i]; }

 private:
  std::optional<Storage> memory_;
  uint64_t size_ = 0;
};

}  // namespace tamis

#endif  // TAMIS_TBB_SCRATCH_H_
