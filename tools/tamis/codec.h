// Compressed files: what they are recognised by, and one narrow interface to each library that
// reads and writes them. A codec sees buffers only; files, threads and messages are its caller's.
#ifndef TAMIS_TOOLS_CODEC_H_
#define TAMIS_TOOLS_CODEC_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tamis::command {

enum class Compression { kNone, kGzip, kZstd, kXz, kBzip2 };

/// No format needs more bytes than this to be told.
inline constexpr size_t kMagicBytes = 6;

/// What begins with `first` bytes. Fewer than kMagicBytes are enough at the end of a file.
Compression Recognise(std::string_view first);
/// Whether more bytes after `first` could make it a compressed file.
bool CouldBeCompressed(std::string_view first);
/// What a file's name promises: .gz, .zst, .xz or .bz2.
Compression FromSuffix(std::string_view name);
std::string_view NameOf(Compression compression);

/// Thrown by codecs; whoever knows the file's name and the offset says it again with both.
struct Damaged {
  std::string what;
};

/// One way in. Members (gzip) or frames (zstd) that follow each other are told apart, so that the
/// caller sees where one ends.
class Decoder {
 public:
  struct Step {
    size_t consumed = 0;
    size_t produced = 0;
    bool ended = false;  ///< the member is whole, and all of it is out
  };

  Decoder() = default;
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  virtual ~Decoder() = default;

  /// Takes some of `in`, which may be empty, and fills some of `out`. Throws Damaged.
  virtual Step Decode(std::string_view in, std::span<char> out) = 0;
  /// Makes ready for another member.
  virtual void Restart() = 0;
};

/// One way out.
class Encoder {
 public:
  using Sink = std::function<void(std::string_view)>;

  Encoder() = default;
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;
  virtual ~Encoder() = default;

  virtual void Append(std::string_view text, const Sink& sink) = 0;
  /// Ends a member; what is appended later begins another.
  virtual void Finish(const Sink& sink) = 0;
};

/// Both throw InvalidArgument, in one line, if this build lacks the library.
std::unique_ptr<Decoder> MakeDecoder(Compression compression);
std::unique_ptr<Encoder> MakeEncoder(Compression compression);

// One file each, built where the library is.
std::unique_ptr<Decoder> GzipDecoder();
std::unique_ptr<Encoder> GzipEncoder();
std::unique_ptr<Decoder> ZstdDecoder();
std::unique_ptr<Encoder> ZstdEncoder();
std::unique_ptr<Decoder> XzDecoder();
std::unique_ptr<Encoder> XzEncoder();
std::unique_ptr<Decoder> Bzip2Decoder();
std::unique_ptr<Encoder> Bzip2Encoder();

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_CODEC_H_
