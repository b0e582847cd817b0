#include "tamis/storage.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>

#include "tamis/error.h"
#include "tamis/machine.h"

namespace tamis {

namespace {

constexpr uint64_t kHugePage = uint64_t{2} << 20;
constexpr uint64_t kAddressable = uint64_t{1} << 62;  // far beyond any machine; sums stay in range

uint64_t RoundUp(uint64_t value, uint64_t to) { return (value + to - 1) / to * to; }

std::string Reason(int error) { return std::generic_category().message(error); }

// Whether the kernel gives transparent huge pages to those who ask.
bool HugePagesOffered() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string line;
  return std::getline(file, line) && line.find("[never]") == std::string::npos;
}

// Zeroed pages whose address is a multiple of `alignment`: maps more and gives back the ends.
std::byte* MapAligned(uint64_t bytes, uint64_t alignment) {
  const uint64_t wide = bytes + alignment;
  void* mapped = mmap(nullptr, wide, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) {
    throw MemoryError("cannot allocate " + std::to_string(bytes) + " bytes: " + Reason(errno));
  }
  auto* begin = static_cast<std::byte*>(mapped);
  const uint64_t head =
      RoundUp(reinterpret_cast<uintptr_t>(begin), alignment) - reinterpret_cast<uintptr_t>(begin);
  if (head != 0) munmap(begin, head);
  munmap(begin + head + bytes, wide - head - bytes);
  return begin + head;
}

}  // namespace

uint64_t MemoryLimit() {
  static const uint64_t limit = [] {
    uint64_t bytes = ThisMachine().memory_bytes;
    std::ifstream group("/sys/fs/cgroup/memory.max");
    uint64_t group_bytes = 0;
    if (group >> group_bytes) bytes = std::min(bytes, group_bytes);
    return bytes;
  }();
  return limit;
}

Storage Storage::Zeroed(uint64_t bytes, HugePages huge, uint64_t limit) {
  limit = std::min(limit, kAddressable);
  if (bytes > limit) {
    throw MemoryError("a filter of " + std::to_string(bytes) + " bytes: the memory limit is " +
                      std::to_string(limit));
  }
  const uint64_t alignment = bytes >= kHugePage ? kHugePage : ThisMachine().page_bytes;
  const uint64_t mapped = RoundUp(std::max<uint64_t>(bytes, 1), alignment);
  std::byte* data = MapAligned(mapped, alignment);
  const char* pages = "4k";
  if (bytes >= kHugePage) {
    const int advice = huge == HugePages::kTry ? MADV_HUGEPAGE : MADV_NOHUGEPAGE;
    const bool taken = madvise(data, mapped, advice) == 0;
    static const bool offered = HugePagesOffered();
    if (huge == HugePages::kTry && taken && offered) pages = "huge";
  }
  return {data, bytes, mapped, true, pages};
}

Storage Storage::MapFile(int fd, uint64_t offset, uint64_t bytes, const std::string& name) {
  const uint64_t skip = offset % ThisMachine().page_bytes;
  const uint64_t mapped = bytes + skip;
  void* base = mmap(nullptr, mapped, PROT_READ, MAP_SHARED, fd, static_cast<off_t>(offset - skip));
  if (base == MAP_FAILED) {
    throw FileError(name + ": cannot map " + std::to_string(bytes) + " bytes: " + Reason(errno));
  }
  return {static_cast<std::byte*>(base) + skip, bytes, mapped, false, "file"};
}

Storage Storage::Shared(std::byte* data, uint64_t bytes, void (*release)(std::byte*)) {
  Storage storage(data, bytes, 0, true, "shared");
  storage.release_ = release;
  return storage;
}

Storage::Storage(Storage&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      mapped_(std::exchange(other.mapped_, 0)),
      writable_(other.writable_),
      pages_(other.pages_),
      release_(other.release_) {}

Storage& Storage::operator=(Storage&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(mapped_, other.mapped_);
  std::swap(writable_, other.writable_);
  std::swap(pages_, other.pages_);
  std::swap(release_, other.release_);
  return *this;
}

Storage::~Storage() {
  if (data_ == nullptr) return;
  if (release_ != nullptr) {
    release_(data_);
    return;
  }
  const uint64_t skip = reinterpret_cast<uintptr_t>(data_) % ThisMachine().page_bytes;
  munmap(data_ - skip, mapped_);
}

}  // namespace tamis
