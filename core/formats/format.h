// What a format is to the rest of tamis: a row of functions. registry.cc lists them. Not installed.
#ifndef TAMIS_CORE_FORMATS_FORMAT_H_
#define TAMIS_CORE_FORMATS_FORMAT_H_

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "input_file.h"
#include "tamis/formats.h"

namespace tamis {

/// The first bytes of a file, by which formats are told.
class Head {
 public:
  static constexpr uint64_t kBytes = 64;

  explicit Head(const InputFile& file);

  const InputFile& file() const { return file_; }
  const std::byte* bytes() const { return bytes_; }  ///< kBytes of them, zeros past the end
  uint64_t file_size() const { return file_.size(); }
  bool Begins(std::string_view magic) const { return text().substr(0, magic.size()) == magic; }

  /// A number at an offset; 0 past the end of the file.
  template <typename T>
  T Number(uint64_t offset, std::endian order) const {
    T value = 0;
    for (uint64_t i = 0; i < sizeof(T); ++i) {
      const uint64_t at = offset + (order == std::endian::little ? sizeof(T) - 1 - i : i);
      value = static_cast<T>(value << 8 | (at < size_ ? std::to_integer<uint8_t>(bytes_[at]) : 0));
    }
    return value;
  }

 private:
  std::string_view text() const { return {reinterpret_cast<const char*>(bytes_), size_}; }

  const InputFile& file_;
  uint64_t size_;
  std::byte bytes_[kBytes] = {};
};

/// What a format can say beside the bits.
struct Says {
  bool keys = false;      ///< how many went in
  bool plan = false;      ///< how many, and which rate, it was made for
  bool attached = false;  ///< bytes of the user's own
  bool layers = false;    ///< of a scalable filter
};

struct Format {
  std::string_view name;
  std::string_view about;
  Says says;
  /// Whether a file is of this format, from its head and its length. Never throws.
  bool (*recognises)(const Head& head);
  FilterFile (*read)(const InputFile& file, LoadMode mode);
  void (*write)(const FilterFile& file, const std::string& path);
  Plan (*plan)(uint64_t keys, double fpr, uint64_t seed);
};

/// The one filter of a file; throws InvalidArgument for a family.
const Filter& SingleFilter(const FilterFile& file, std::string_view format);

/// Throws InvalidArgument, which says what the format holds instead, unless `right`.
void RequireHolds(bool right, const Spec& spec, std::string_view format, std::string_view holds);

/// A classic filter of `m` bits as a format's own formulas give them; throws InvalidArgument if
/// there is none so large. k is kept within its bounds.
Spec ForeignSpec(double m, double k, HashScheme hash, ProbeScheme probe);

/// Throws InvalidArgument if `seed` is not 0, for formats without one.
void RequireNoSeed(uint64_t seed, std::string_view format);

const Format& TamisFormat();
const Format& ParquetFormat();
const Format& BitsetFormat();
const Format& DcsoFormat();
const Format& DcsoGzipFormat();
const Format& SparkV1Format();
const Format& SparkV2Format();
const Format& Guava0Format();
const Format& Guava1Format();
const Format& RedisFormat();
const Format& BitsAndBloomsFormat();

}  // namespace tamis

#endif  // TAMIS_CORE_FORMATS_FORMAT_H_
