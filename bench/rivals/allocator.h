// The allocator for rivals that take one: it counts bytes, so that bits a key are what the rival
// really asked for, and gives large blocks huge pages, touched beforehand, as tamis's filters have.
#ifndef TAMIS_BENCH_RIVALS_ALLOCATOR_H_
#define TAMIS_BENCH_RIVALS_ALLOCATOR_H_

#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace tamis::bench {

/// What the allocators of one Owner hold.
struct Allocated {
  std::atomic<uint64_t> bytes = 0;
  std::atomic<uint64_t> huge_bytes = 0;
};

template <typename Owner>
inline Allocated allocated_by;

template <typename T, typename Owner>
class CountingAllocator {
  static constexpr size_t kItemBytes =
      sizeof(T);  // NOLINT(bugprone-sizeof-expression): pointers too

 public:
  using value_type = T;
  template <typename U>
  struct rebind {  // NOLINT(readability-identifier-naming): the standard's name
    using other = CountingAllocator<U, Owner>;
  };

  CountingAllocator() = default;
  template <typename U>
  CountingAllocator(const CountingAllocator<U, Owner>&) {}  // NOLINT(google-explicit-constructor)

  T* allocate(size_t count) {
    const size_t bytes = count * kItemBytes;
    void* memory = nullptr;
    if (bytes < kHugePage) {
      memory = std::malloc(bytes);
    } else {
      const size_t whole = (bytes + kHugePage - 1) / kHugePage * kHugePage;
      memory = std::aligned_alloc(kHugePage, whole);
      if (memory != nullptr) {
        if (madvise(memory, whole, MADV_HUGEPAGE) == 0) Count().huge_bytes += bytes;
        std::memset(memory, 0, whole);
      }
    }
    if (memory == nullptr) throw std::bad_alloc();
    Count().bytes += bytes;
    return static_cast<T*>(memory);
  }

  void deallocate(T* memory, size_t count) {
    const size_t bytes = count * kItemBytes;
    Count().bytes -= bytes;
    if (bytes >= kHugePage && Count().huge_bytes >= bytes) Count().huge_bytes -= bytes;
    std::free(memory);
  }

  friend bool operator==(const CountingAllocator&, const CountingAllocator&) { return true; }

 private:
  static constexpr size_t kHugePage = size_t{2} << 20;
  static Allocated& Count() { return allocated_by<Owner>; }
};

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_RIVALS_ALLOCATOR_H_
