// The bytes of a filter: memory that tamis owns, a part of a mapped file, or memory that a device
// shares with the processor. 64-byte aligned.
#ifndef TAMIS_STORAGE_H_
#define TAMIS_STORAGE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace tamis {

/// Whether large owned memory asks for huge pages (transparent ones, by madvise). It costs nothing
/// to ask: where the system has none, 4 KiB pages serve and pages() says so.
enum class HugePages { kTry, kNever };

/// Most bytes that an owned filter may take: the machine's memory, or the control group's limit
/// where that is lower.
uint64_t MemoryLimit();

/// Move-only owner of a filter's bytes.
class Storage {
 public:
  /// `bytes` zeroed bytes. Throws MemoryError with both figures if `bytes` is more than `limit`, or
  /// if the system refuses.
  static Storage Zeroed(uint64_t bytes, HugePages huge = HugePages::kTry,
                        uint64_t limit = MemoryLimit());

  /// Bytes `offset` (a multiple of 64) to `offset + bytes` of an open file, mapped
  /// read-only and shared with every process that does the same. `name` is for the error.
  static Storage MapFile(int fd, uint64_t offset, uint64_t bytes, const std::string& name);

  /// Memory that a backend's device shares with the processor; `release` gives it back.
  /// Moving such memory's pages between the two is the device driver's affair.
  static Storage Shared(std::byte* data, uint64_t bytes, void (*release)(std::byte*));

  Storage(Storage&& other) noexcept;
  Storage& operator=(Storage&& other) noexcept;
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;
  ~Storage();

  std::byte* data() const { return data_; }
  uint64_t size() const { return size_; }
  bool writable() const { return writable_; }
  /// Whether a device reaches these bytes where they are.
  bool shared() const { return release_ != nullptr; }

  /// "huge" if the kernel was asked for huge pages and took the request, "4k" if not, "file" if
  /// mapped from one, "shared" with a device. Whether the kernel then finds any is its own affair.
  const char* pages() const { return pages_; }

 private:
  Storage(std::byte* data, uint64_t size, uint64_t mapped, bool writable, const char* pages)
      : data_(data), size_(size), mapped_(mapped), writable_(writable), pages_(pages) {}

  std::byte* data_;
  uint64_t size_;
  uint64_t mapped_;  // bytes from the start of data_'s page on that the system mapped
  bool writable_;
  const char* pages_;
  void (*release_)(std::byte*) = nullptr;  // if not mapped here
};

}  // namespace tamis

#endif  // TAMIS_STORAGE_H_
