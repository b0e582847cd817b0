// Any bytes as a filter's file: a reader may refuse them by an error of tamis, and nothing else may
// happen. What is accepted must be whole: it is asked for a key, and written back.
//
//   TAMIS_FUZZ_FORMAT=dcso reader_fuzzer CORPUS     reads all inputs as that format
//   TAMIS_FUZZ_FORMAT=parquet-file ...              lists and reads the filters of a Parquet file
//   reader_fuzzer ...                               tells the format by content
//
// Built where the compiler is clang (tests/CMakeLists.txt); tools/check runs it for every format.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "tamis/engine.h"
#include "tamis/error.h"
#include "tamis/formats.h"
#include "tamis/parquet.h"

namespace {

// A file in memory that holds the input.
class MemoryFile {
 public:
  MemoryFile(const uint8_t* data, size_t size) : fd_(memfd_create("input", MFD_CLOEXEC)) {
    if (fd_ < 0 || write(fd_, data, size) != static_cast<ssize_t>(size)) std::abort();
  }
  ~MemoryFile() { close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

void ReadParquet(const std::string& path) {
  for (const tamis::ParquetFilter& place : tamis::ListParquetFilters(path).filters) {
    static_cast<void>(tamis::ReadParquetFilter(path, place).ObservedFpr());
  }
}

void ReadFilter(const std::string& path, const char* format) {
  static const tamis::Engine engine({.backend = "scalar", .target = "scalar"});
  const tamis::FilterFile file = tamis::LoadAny(path, format);
  const std::string_view key = "key";
  std::visit(
      [&](const auto& f) {
        engine.Contains(f, tamis::Keys::Views({&key, 1}));
      },
      file.filter);
  static const std::string out = "/dev/shm/tamis-fuzz-" + std::to_string(getpid());
  tamis::SaveAs(file, out, file.format);
  const tamis::FilterFile again = tamis::LoadAny(out, file.format);
  unlink(out.c_str());
  if (again.attached != file.attached || again.counted != file.counted) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const char* const name = std::getenv("TAMIS_FUZZ_FORMAT");
  const std::string format = name == nullptr ? "" : name;
  const MemoryFile file(data, size);
  try {
    if (format == "parquet-file") {
      ReadParquet(file.path());
    } else {
      ReadFilter(file.path(), format.c_str());
    }
  } catch (const tamis::FileError&) {
  } catch (const tamis::MemoryError&) {
  }
  return 0;
}
