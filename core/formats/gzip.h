// gzip streams, by zlib. Not installed.
#ifndef TAMIS_CORE_FORMATS_GZIP_H_
#define TAMIS_CORE_FORMATS_GZIP_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "input_file.h"
#include "tamis/atomic_file.h"

namespace tamis {

/// Inflates a whole file, one member or several. Errors are FileErrors that name it.
class GzipReader {
 public:
  explicit GzipReader(const InputFile& file);
  ~GzipReader();
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  /// Fills `into`; throws FileError if the stream ends before.
  void Read(std::span<std::byte> into);
  /// What is left, but not more than `most` bytes. If that is less than `most`, the stream was
  /// whole: its checksum is right and nothing follows it.
  std::string ReadRest(uint64_t most);

 private:
  struct State;
  size_t ReadSome(std::span<std::byte> into);

  std::unique_ptr<State> state_;
};

/// Deflates into a file. The bytes depend on zlib's version.
class GzipWriter {
 public:
  explicit GzipWriter(AtomicFile& out);
  ~GzipWriter();
  GzipWriter(const GzipWriter&) = delete;
  GzipWriter& operator=(const GzipWriter&) = delete;

  void Append(std::span<const std::byte> bytes);
  /// Ends the stream. Call once, last.
  void Finish();

 private:
  struct State;
  void Run(std::span<const std::byte> bytes, int flush);

  std::unique_ptr<State> state_;
};

}  // namespace tamis

#endif  // TAMIS_CORE_FORMATS_GZIP_H_
