#include "codec.h"

#include <algorithm>
#include <array>

#include "tamis/error.h"

namespace tamis::command {

namespace {

struct Format {
  Compression compression;
  std::string_view magic;
  std::string_view suffix;
  std::string_view name;
  std::string_view library;
};

constexpr std::array<Format, 4> kFormats = {{
    {Compression::kGzip, "\x1f\x8b\x08", ".gz", "gzip", "ISA-L"},
    {Compression::kZstd, "\x28\xb5\x2f\xfd", ".zst", "zstd", "libzstd"},
    {Compression::kXz, "\3757zXZ", ".xz", "xz", "liblzma"},
    {Compression::kBzip2, "BZh", ".bz2", "bzip2", "libbz2"},
}};

// "BZh" could begin a line of text; with a digit and the first bytes of a block (pi, in decimal
// digits) or of the end of an empty stream (the square root of pi) it hardly does.
bool IsBzip2(std::string_view first) {
  return first.size() >= kMagicBytes && first[3] >= '1' && first[3] <= '9' &&
         (first.substr(4).starts_with("1A") || first.substr(4).starts_with("\x17r"));
}

[[noreturn]] void Missing(Compression compression) {
  for (const Format& format : kFormats) {
    if (format.compression != compression) continue;
    throw InvalidArgument(std::string(format.name) + ": this tamis was built without " +
                          std::string(format.library));
  }
  throw InvalidArgument("no compression");
}

}  // namespace

Compression Recognise(std::string_view first) {
  for (const Format& format : kFormats) {
    if (!first.starts_with(format.magic)) continue;
    if (format.compression == Compression::kBzip2 && !IsBzip2(first)) continue;
    return format.compression;
  }
  return Compression::kNone;
}

bool CouldBeCompressed(std::string_view first) {
  return first.size() < kMagicBytes && std::ranges::any_of(kFormats, [&](const Format& format) {
           const size_t common = std::min(first.size(), format.magic.size());
           return first.substr(0, common) == format.magic.substr(0, common);
         });
}

Compression FromSuffix(std::string_view name) {
  for (const Format& format : kFormats) {
    if (name.ends_with(format.suffix)) return format.compression;
  }
  return Compression::kNone;
}

std::string_view NameOf(Compression compression) {
  for (const Format& format : kFormats) {
    if (format.compression == compression) return format.name;
  }
  return "none";
}

std::unique_ptr<Decoder> MakeDecoder(Compression compression) {
  switch (compression) {
#ifdef TAMIS_HAVE_GZIP
    case Compression::kGzip:
      return GzipDecoder();
#endif
#ifdef TAMIS_HAVE_ZSTD
    case Compression::kZstd:
      return ZstdDecoder();
#endif
#ifdef TAMIS_HAVE_XZ
    case Compression::kXz:
      return XzDecoder();
#endif
#ifdef TAMIS_HAVE_BZIP2
    case Compression::kBzip2:
      return Bzip2Decoder();
#endif
    default:
      Missing(compression);
  }
}

std::unique_ptr<Encoder> MakeEncoder(Compression compression) {
  switch (compression) {
#ifdef TAMIS_HAVE_GZIP
    case Compression::kGzip:
      return GzipEncoder();
#endif
#ifdef TAMIS_HAVE_ZSTD
    case Compression::kZstd:
      return ZstdEncoder();
#endif
#ifdef TAMIS_HAVE_XZ
    case Compression::kXz:
      return XzEncoder();
#endif
#ifdef TAMIS_HAVE_BZIP2
    case Compression::kBzip2:
      return Bzip2Encoder();
#endif
    default:
      Missing(compression);
  }
}

}  // namespace tamis::command
