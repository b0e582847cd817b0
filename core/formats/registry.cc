// The formats there are, and what is done alike for all of them: finding one by its name or by a
// file's content, and telling what would be lost.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "checker.h"
#include "formats/format.h"
#include "tamis/error.h"
#include "tamis/parquet.h"

namespace tamis {

namespace {

// To add one: its file, and its line here.
constexpr std::array kFormats = {
    TamisFormat,   ParquetFormat, BitsetFormat, DcsoFormat,  DcsoGzipFormat,      SparkV1Format,
    SparkV2Format, Guava0Format,  Guava1Format, RedisFormat, BitsAndBloomsFormat,
};

const Format& FormatNamed(std::string_view name) {
  std::string valid;
  for (const auto& format : kFormats) {
    if (format().name == name) return format();
    if (!valid.empty()) valid += ", ";
    valid += format().name;
  }
  throw InvalidArgument("unknown format '" + std::string(name) + "': valid are " + valid);
}

// dolma's and bff's filters: a magic number, and a hash that differs from processor to processor.
bool IsDolma(const Head& head) {
  return head.Number<uint32_t>(0, std::endian::little) == 0x81f0f117;
}

// pybloom's: f64 rate, then u64 slices, bits in each, capacity and count, and the bits.
bool IsPybloom(const Head& head) {
  constexpr uint64_t kHeader = 40;
  const auto rate = std::bit_cast<double>(head.Number<uint64_t>(0, std::endian::little));
  const auto slices = head.Number<uint64_t>(8, std::endian::little);
  const auto slice_bits = head.Number<uint64_t>(16, std::endian::little);
  if (head.file_size() < kHeader || !(rate > 0 && rate < 1) || slices == 0 || slices > 1000) {
    return false;
  }
  return slice_bits <= UINT64_MAX / 1000 - 1 &&
         head.file_size() - kHeader == (slices * slice_bits + 7) / 8;
}

const Format& Recognise(const InputFile& file) {
  const Head head(file);
  for (const auto& format : kFormats) {
    if (format().recognises(head)) return format();
  }
  const std::string& path = file.path();
  if (head.Begins("PAR1")) {
    throw FileError(path + ": a Parquet file, which has a filter for each column and row group: " +
                    "name the column");
  }
  if (IsDolma(head)) {
    throw FileError(path + ": a filter of dolma's or bff's, whose hash depends on the processor " +
                    "it ran on: no other program can ask it");
  }
  if (IsPybloom(head)) {
    throw FileError(path + ": a filter of pybloom's, which takes bits from decimal digests of " +
                    "Python objects: tamis does not read it");
  }
  throw FileError(path + ": no filter of a format that tamis knows: it begins with " +
                  Hex(head.Number<uint64_t>(0, std::endian::big)) + " and has " +
                  Text(file.size()) + " bytes; a bare bitset must be named as such");
}

void AddLoss(std::string& losses, const std::string& loss) {
  if (!losses.empty()) losses += ", ";
  losses += loss;
}

}  // namespace

Head::Head(const InputFile& file) : file_(file), size_(std::min(kBytes, file.size())) {
  file.Read(0, std::span(bytes_).first(size_));
}

const Filter& SingleFilter(const FilterFile& file, std::string_view format) {
  if (const auto* filter = std::get_if<Filter>(&file.filter)) return *filter;
  const auto* growing = std::get_if<ScalableFilter>(&file.filter);
  throw InvalidArgument(std::string(format) + " holds one filter, not " +
                        (growing != nullptr ? "the " + std::to_string(growing->layers().size()) +
                                                  " layers of a scalable one"
                                            : "the generations of a windowed one"));
}

void RequireHolds(bool right, const Spec& spec, std::string_view format, std::string_view holds) {
  if (right) return;
  throw InvalidArgument(std::string(format) + " holds " + std::string(holds) + ", not [" +
                        ToString(spec) + "]");
}

Spec ForeignSpec(double m, double k, HashScheme hash, ProbeScheme probe) {
  if (!(m >= 1 && m < static_cast<double>(kMaxClassicBits))) {
    throw InvalidArgument("a filter of " + Text(m) + " bits: the limit is 2^63");
  }
  return {.variant = Variant::kClassic,
          .hash = hash,
          .m = static_cast<uint64_t>(m),
          .k = static_cast<int>(std::clamp(k, 1.0, double{Classic::kMaxK})),
          .probe = probe};
}

void RequireNoSeed(uint64_t seed, std::string_view format) {
  if (seed == 0) return;
  throw InvalidArgument("seed " + std::to_string(seed) + ": " + std::string(format) +
                        " has no place for one");
}

std::vector<FormatFacts> Formats() {
  std::vector<FormatFacts> facts;
  facts.reserve(kFormats.size());
  for (const auto& format : kFormats) facts.push_back({format().name, format().about});
  return facts;
}

FilterFile LoadAny(const std::string& path, std::string_view format, LoadMode mode,
                   const Secret& secret) {
  if (!format.empty()) FormatNamed(format);  // a bad name is told before a bad file
  const InputFile file(path);
  const Format& found = format.empty() ? Recognise(file) : FormatNamed(format);
  // Of all formats, tamis's own alone has keyed hashes.
  FilterFile loaded = &found == &TamisFormat() ? FilterFile{.filter = Load(path, mode, secret)}
                                               : found.read(file, mode);
  loaded.format = found.name;
  return loaded;
}

std::string LossOf(const FilterFile& file, std::string_view format) {
  const Says& says = FormatNamed(format).says;
  std::string losses;
  if (file.counted && !says.keys) {
    const uint64_t keys = std::visit([](const auto& f) { return f.inserted(); }, file.filter);
    AddLoss(losses, "the number of keys (" + std::to_string(keys) + ")");
  }
  const auto* single = std::get_if<Filter>(&file.filter);
  if (single != nullptr && single->plan().capacity != 0 && !says.plan) {
    AddLoss(losses, "what it was planned for (" + std::to_string(single->plan().capacity) +
                        " keys at " + Text(single->plan().fpr) + ")");
  }
  if (!file.attached.empty() && !says.attached) {
    AddLoss(losses, "attached data (" + std::to_string(file.attached.size()) + " bytes)");
  }
  return losses;
}

void SaveAs(const FilterFile& file, const std::string& path, std::string_view format) {
  FormatNamed(format).write(file, path);
}

Plan PlanForFormat(std::string_view format, uint64_t keys, double fpr, uint64_t seed) {
  RequireRate(fpr);
  return FormatNamed(format).plan(std::max<uint64_t>(keys, 1), fpr, seed);
}

}  // namespace tamis
