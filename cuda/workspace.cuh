// Scratch memory handed out piece by piece, to our own arrays and to Thrust's temporary ones: one
// allocation before a batch, none during it.
#ifndef TAMIS_CUDA_WORKSPACE_CUH_
#define TAMIS_CUDA_WORKSPACE_CUH_

#include <thrust/system/cuda/execution_policy.h>

#include <cstddef>
#include <cstdint>
#include <new>

namespace tamis::gpu {

/// Also an allocator, as Thrust's policies take them.
class Workspace {
 public:
  using value_type = char;
  static constexpr uint64_t kAlignment = 256;
  static constexpr uint64_t Rounded(uint64_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }

  Workspace(void* memory, uint64_t bytes) : next_(static_cast<char*>(memory)), left_(bytes) {}

  /// Throws std::bad_alloc when it is used up.
  template <typename T>
  T* Take(uint64_t count) {
    const uint64_t bytes = Rounded(count * sizeof(T));
    if (bytes > left_) throw std::bad_alloc();
    char* piece = next_;
    next_ += bytes;
    left_ -= bytes;
    return reinterpret_cast<T*>(piece);
  }

  char* allocate(std::ptrdiff_t bytes) { return Take<char>(static_cast<uint64_t>(bytes)); }
  void deallocate(char* /*piece*/, size_t /*bytes*/) {}  // all at once, when the batch is done

 private:
  char* next_;
  uint64_t left_;
};

}  // namespace tamis::gpu

#endif  // TAMIS_CUDA_WORKSPACE_CUH_
