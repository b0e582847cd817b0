// DCSO's Bloom filters, as threat-intelligence feeds carry them (https://github.com/DCSO/bloom):
//
//   u64 flags (low byte: version 1)   u64 n, capacity   f64 p, rate   u64 k   u64 m   u64 N, keys
//   in ceil(m / 64) words, then data of the user's own to the end      all little-endian
//
// or the same inside gzip. The attached data is kept, up to kMostAttached bytes.

#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <numbers>

#include "checker.h"
#include "formats/body.h"
#include "formats/format.h"
#include "formats/gzip.h"
#include "tamis/error.h"

namespace tamis {

namespace {

struct Header {
  uint64_t flags;
  uint64_t capacity;
  double fpr;
  uint64_t k;
  uint64_t m;
  uint64_t inserted;
};
static_assert(sizeof(Header) == 48);

constexpr uint64_t kMostAttached = uint64_t{16} << 20;

// Checks a header; `left` is the most bytes that can follow it.
Plan PlanOf(const Header& header, uint64_t left, const std::string& where) {
  const Checker check(where);
  check(header.flags == 1, "flags", header.flags, "1, that is version 1");
  check(header.fpr > 0 && header.fpr < 1, "rate", header.fpr, "more than 0, less than 1");
  check(header.k >= 1 && header.k <= Classic::kMaxK, "k", header.k, "1 to 64");
  check(header.m >= 1 && header.m <= kMaxClassicBits, "bits", header.m, "1 to 2^63");
  const Spec spec{.variant = Variant::kClassic,
                  .hash = HashScheme::kFnv1Dcso,
                  .m = header.m,
                  .k = static_cast<int>(header.k),
                  .probe = ProbeScheme::kDcso};
  check(spec.bytes() <= left, "bits", header.m, "no more than the file is long");
  return {.spec = spec, .capacity = header.capacity, .fpr = header.fpr};
}

bool LooksLike(const Header& header) {
  return header.flags == 1 && header.fpr > 0 && header.fpr < 1 && header.k >= 1 &&
         header.k <= Classic::kMaxK && header.m >= 1;
}

Header HeaderIn(const std::byte* bytes) {
  Header header;
  std::memcpy(&header, bytes, sizeof header);
  return header;
}

bool Recognises(const Head& head) {
  return head.file_size() > sizeof(Header) && LooksLike(HeaderIn(head.bytes()));
}

bool RecognisesGzip(const Head& head) {
  if (!head.Begins("\x1f\x8b")) return false;
  try {
    GzipReader in(head.file());
    Header header;
    in.Read(std::as_writable_bytes(std::span(&header, 1)));
    return LooksLike(header);
  } catch (const FileError&) {
    return false;
  }
}

void RequireAttached(uint64_t bytes, const std::string& where) {
  if (bytes <= kMostAttached) return;
  throw FileError(where + ": more data is attached than the limit, " + Text(kMostAttached) +
                  " bytes");
}

FilterFile Read(const InputFile& file, LoadMode /*mode*/) {
  const std::string& where = file.path();
  Header header;
  const Checker check(where);
  check(file.size() > sizeof header, "file length", file.size(), "more than 48");
  file.Read(0, std::as_writable_bytes(std::span(&header, 1)));
  const Plan plan = PlanOf(header, file.size() - sizeof header, where);
  const uint64_t end = sizeof header + plan.spec.bytes();
  RequireAttached(file.size() - end, where);
  Filter filter = EmptyFilter(plan, where);
  ReadBody(file, sizeof header, std::endian::little, filter, where);
  filter.AddInserted(header.inserted);
  std::string attached(file.size() - end, '\0');
  file.Read(end, std::as_writable_bytes(std::span(attached)));
  return {.filter = std::move(filter), .attached = std::move(attached)};
}

FilterFile ReadGzip(const InputFile& file, LoadMode /*mode*/) {
  constexpr uint64_t kMostRatio = 1032;  // of deflate: a length past that is no true one
  const std::string& where = file.path();
  GzipReader in(file);
  Header header;
  in.Read(std::as_writable_bytes(std::span(&header, 1)));
  Filter filter = EmptyFilter(PlanOf(header, file.size() * kMostRatio, where), where);
  in.Read({filter.mutable_data(), filter.bytes().size()});
  CheckStrayBits(filter, where);
  filter.AddInserted(header.inserted);
  std::string attached = in.ReadRest(kMostAttached + 1);
  RequireAttached(attached.size(), where);
  return {.filter = std::move(filter), .attached = std::move(attached)};
}

// Calls `append` with the file's bytes, piece by piece.
template <typename F>
void Write(const FilterFile& file, std::string_view format, F&& append) {
  const Filter& filter = SingleFilter(file, format);
  const Spec& spec = filter.spec();
  RequireHolds(spec.hash == HashScheme::kFnv1Dcso && spec.probe == ProbeScheme::kDcso, spec, format,
               "classic filters by fnv1_64_dcso and dcso");
  const Plan& plan = filter.plan();
  const bool planned = plan.fpr > 0 && plan.fpr < 1;
  RequireHolds(planned, spec, format, "filters with a planned rate");
  const Header header{.flags = 1,
                      .capacity = plan.capacity,
                      .fpr = plan.fpr,
                      .k = static_cast<uint64_t>(spec.k),
                      .m = spec.m,
                      .inserted = filter.inserted()};
  append(std::as_bytes(std::span(&header, 1)));
  append(filter.bytes());
  append(std::as_bytes(std::span(file.attached)));
}

void WritePlain(const FilterFile& file, const std::string& path) {
  std::unique_ptr<AtomicFile> out;
  Write(file, "dcso", [&](std::span<const std::byte> bytes) {
    if (out == nullptr) out = std::make_unique<AtomicFile>(path);
    out->Append(bytes);
  });
  out->Commit();
}

void WriteGzip(const FilterFile& file, const std::string& path) {
  std::unique_ptr<AtomicFile> out;
  std::unique_ptr<GzipWriter> gzip;
  Write(file, "dcso-gzip", [&](std::span<const std::byte> bytes) {
    if (out == nullptr) {
      out = std::make_unique<AtomicFile>(path);
      gzip = std::make_unique<GzipWriter>(*out);
    }
    gzip->Append(bytes);
  });
  gzip->Finish();
  out->Commit();
}

// As DCSO's: m rounded down where the usual formula rounds up (it takes the ceiling of a negative
// number), k rounded up.
Plan PlanDcso(uint64_t keys, double fpr, uint64_t seed) {
  RequireNoSeed(seed, "dcso");
  constexpr double kLn2 = std::numbers::ln2;
  const auto n = static_cast<double>(keys);
  const double m = std::fmax(1, std::floor(-n * std::log(fpr) / (kLn2 * kLn2)));
  const double k = std::ceil(kLn2 * m / n);
  return {.spec = ForeignSpec(m, k, HashScheme::kFnv1Dcso, ProbeScheme::kDcso),
          .capacity = keys,
          .fpr = fpr};
}

}  // namespace

const Format& DcsoFormat() {
  static constexpr Format kFormat = {
      .name = "dcso",
      .about = "DCSO's bloom command and libraries, as threat-intelligence feeds come",
      .says = {.keys = true, .plan = true, .attached = true},
      .recognises = Recognises,
      .read = Read,
      .write = WritePlain,
      .plan = PlanDcso,
  };
  return kFormat;
}

const Format& DcsoGzipFormat() {
  static constexpr Format kFormat = {
      .name = "dcso-gzip",
      .about = "the same, compressed",
      .says = {.keys = true, .plan = true, .attached = true},
      .recognises = RecognisesGzip,
      .read = ReadGzip,
      .write = WriteGzip,
      .plan = PlanDcso,
  };
  return kFormat;
}

}  // namespace tamis
