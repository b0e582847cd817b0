// A regular file open for reading. Not installed.
#ifndef TAMIS_CORE_INPUT_FILE_H_
#define TAMIS_CORE_INPUT_FILE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace tamis {

/// Messages of all errors begin with the file's name.
class InputFile {
 public:
  /// Throws FileError if it cannot be read or is no regular file.
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& path() const { return path_; }
  int fd() const { return fd_; }
  uint64_t size() const { return size_; }

  /// Fills `into` from `offset` on; throws FileError if the file ends before.
  void Read(uint64_t offset, std::span<std::byte> into) const;

 private:
  [[noreturn]] void Fail(int error) const;

  std::string path_;
  int fd_ = -1;
  uint64_t size_ = 0;
};

}  // namespace tamis

#endif  // TAMIS_CORE_INPUT_FILE_H_
