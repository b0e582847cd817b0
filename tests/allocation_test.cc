// A batch call allocates nothing once the engine is warm, on any backend: operator new of the whole
// program counts, and what is mapped. (oneTBB keeps its tasks in pools of its own, which this does
// not see.)

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>
#include <numeric>
#include <string>
#include <vector>

#include "tamis/engine.h"

namespace {

std::atomic<uint64_t> allocations = 0;
std::atomic<uint64_t> allocated = 0;  // bytes

void* Counted(size_t size, size_t alignment) {
  ++allocations;
  allocated += size;
  // aligned_alloc wants whole multiples of the alignment.
  void* memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

// Not inlined: where GCC 12 sees through delete and not through new, it takes the two for a
// mismatch.
[[gnu::noinline]] void Release(void* memory) { std::free(memory); }

}  // namespace

// The array and nothrow forms of the library call these.
void* operator new(size_t size) { return Counted(size, alignof(std::max_align_t)); }
void* operator new(size_t size, std::align_val_t alignment) {
  return Counted(size, static_cast<size_t>(alignment));
}
void operator delete(void* memory) noexcept { Release(memory); }
void operator delete(void* memory, size_t /*size*/) noexcept { Release(memory); }
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept { Release(memory); }
void operator delete(void* memory, size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  Release(memory);
}

// These stand before the library's own, whose names of parameters are not for us. The ends of a
// mapping that is too large go back at once.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name, performance-no-int-to-ptr)
extern "C" void* mmap(void* at, size_t size, int access, int flags, int file,
                      off_t offset) noexcept {
  if ((flags & MAP_ANONYMOUS) != 0) {
    ++allocations;
    allocated += size;
  }
  return reinterpret_cast<void*>(syscall(SYS_mmap, at, size, access, flags, file, offset));
}
extern "C" int munmap(void* at, size_t size) noexcept {
  allocated -= size;
  return static_cast<int>(syscall(SYS_munmap, at, size));
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name, performance-no-int-to-ptr)

namespace tamis {
namespace {

struct Batches {
  std::vector<uint64_t> numbers;
  std::string bytes;
  std::vector<uint32_t> offsets;

  explicit Batches(uint64_t keys) : numbers(keys), bytes(keys, 'x'), offsets(keys + 1) {
    std::iota(numbers.begin(), numbers.end(), uint64_t{1} << 40);
    std::iota(offsets.begin(), offsets.end(), 0U);
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i % 251);
  }
  std::vector<Keys> All() const {
    return {Keys::U64(numbers), Keys::Strings(offsets, bytes.data()),
            Keys::Fixed(std::as_bytes(std::span(numbers)), 12)};
  }
};

struct Way {
  const char* name;
  const char* backend;
  int threads;
};

class Allocations : public testing::TestWithParam<Way> {
 protected:
  // The fewest that a call makes once others went before it. The first may make what is kept, and
  // oneTBB starts its threads when it sees fit, each with a few of its own; what every call makes
  // is in all of them.
  static uint64_t WhenWarm(const std::function<void()>& call) {
    constexpr int kCalls = 50;
    call();
    uint64_t fewest = UINT64_MAX;
    for (int i = 0; i < kCalls && fewest != 0; ++i) {
      const uint64_t before = allocations;
      call();
      fewest = std::min<uint64_t>(fewest, allocations - before);
    }
    return fewest;
  }

  // More than tbb takes at a time.
  const Batches batches_{uint64_t{GetParam().threads > 1 ? 1'200'000U : 60'000U}};
  std::vector<uint8_t> answers_ = std::vector<uint8_t>(AnswerBytes(batches_.numbers.size()));
  Engine engine_{{.backend = GetParam().backend, .threads = GetParam().threads}};
};

TEST_P(Allocations, NoneInAWarmBatchCall) {
  ASSERT_GT(allocations, 0U) << "they are counted";
  for (const Variant variant : AllVariants()) {
    SCOPED_TRACE(NameOf(variant));
    Filter filter(PlanForBitsPerKey(100'000, 12, {.variant = variant}));
    for (const Keys& keys : batches_.All()) {
      SCOPED_TRACE(static_cast<int>(keys.kind()));
      EXPECT_EQ(WhenWarm([&] { engine_.Insert(filter, keys); }), 0U);
      EXPECT_EQ(WhenWarm([&] { engine_.InsertNew(filter, keys, answers_); }), 0U);
      EXPECT_EQ(WhenWarm([&] { engine_.Contains(filter, keys, answers_); }), 0U);
    }
  }
}

// Beside the filter: less than 1 MiB a thread where keys stay where they are, at most 16 bytes a
// key of the batch where they are sorted. Of several engines the one that took least: beside the
// others oneTBB started, whose own memory is mapped too.
TEST_P(Allocations, TheFirstCallTakesLittle) {
  Filter filter(PlanForBitsPerKey(100'000, 12));
  const Keys keys = Keys::U64(batches_.numbers);
  uint64_t took = UINT64_MAX;
  for (int i = 0; i < 10; ++i) {
    Engine engine({.backend = GetParam().backend, .threads = GetParam().threads});
    const uint64_t before = allocated;
    engine.InsertNew(filter, keys, answers_);
    took = std::min<uint64_t>(took, allocated - before);
  }
  const bool sorted = GetParam().threads > 2;
  EXPECT_LT(took, sorted ? 16 * keys.size() : static_cast<uint64_t>(GetParam().threads) << 20);
  EXPECT_GE(took, sorted ? 8 * keys.size() : 0) << "it is counted";
}

TEST_P(Allocations, NoneInAWarmBatchCallOnAGrowingFilter) {
  ScalableFilter filter(5'000'000, 0.01);
  for (const Keys& keys : batches_.All()) {
    SCOPED_TRACE(static_cast<int>(keys.kind()));
    EXPECT_EQ(WhenWarm([&] { engine_.InsertNew(filter, keys, answers_); }), 0U);
    EXPECT_EQ(WhenWarm([&] { engine_.Contains(filter, keys, answers_); }), 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, Allocations,
                         testing::Values(Way{"scalar", "scalar", 1}, Way{"simd", "simd", 1},
                                         Way{"owners", "tbb", 2}, Way{"sorted", "tbb", 9}),
                         [](const auto& way) { return std::string(way.param.name); });

}  // namespace
}  // namespace tamis
