// Apache Parquet's filter outside a Parquet file: the bitset alone, and the bitset behind the
// header that Parquet puts before it.

#include <bit>

#include "formats/body.h"
#include "formats/format.h"
#include "formats/parquet_header.h"
#include "tamis/error.h"

namespace tamis {

namespace {

bool RecognisesHeader(const Head& head) {
  if (!head.Begins("\x15")) return false;
  try {
    const ParquetHeader header = ReadParquetHeader(head.file(), 0, "");
    return header.header_bytes + header.bitset_bytes == head.file_size();
  } catch (const FileError&) {
    return false;
  }
}

FilterFile ReadFrom(const InputFile& file, uint64_t offset, uint64_t bytes) {
  Filter filter = EmptyFilter({.spec = ParquetSpec(bytes, file.path())}, file.path());
  ReadBody(file, offset, std::endian::little, filter, file.path());
  EstimateInserted(filter);
  return {.filter = std::move(filter), .counted = false};
}

FilterFile ReadHeaded(const InputFile& file, LoadMode /*mode*/) {
  const ParquetHeader header = ReadParquetHeader(file, 0, file.path());
  const uint64_t end = header.header_bytes + header.bitset_bytes;
  if (end != file.size()) {
    throw FileError(file.path() + ": file length " + std::to_string(file.size()) + ": expected " +
                    std::to_string(end) + ", nothing after the bitset");
  }
  return ReadFrom(file, header.header_bytes, header.bitset_bytes);
}

FilterFile ReadBitset(const InputFile& file, LoadMode /*mode*/) {
  return ReadFrom(file, 0, file.size());
}

const Filter& RequireParquet(const FilterFile& file, std::string_view format) {
  const Filter& filter = SingleFilter(file, format);
  const Spec& spec = filter.spec();
  RequireHolds(spec == Spec{.variant = Variant::kSplitBlock, .blocks = spec.blocks}, spec, format,
               "split_block with xxh64 and seed 0");
  return filter;
}

void WriteHeaded(const FilterFile& file, const std::string& path) {
  const Filter& filter = RequireParquet(file, "parquet");
  RequireHolds(filter.bytes().size() <= kMaxParquetBytes, filter.spec(), "parquet",
               "at most " + std::to_string(kMaxParquetBytes) + " bytes");
  AtomicFile out(path);
  out.Append(ParquetHeaderBytes(filter.bytes().size()));
  AppendBody(out, filter, std::endian::little);
  out.Commit();
}

void WriteBitset(const FilterFile& file, const std::string& path) {
  const Filter& filter = RequireParquet(file, "bitset");
  AtomicFile out(path);
  AppendBody(out, filter, std::endian::little);
  out.Commit();
}

bool RecognisesBitset(const Head& /*head*/) { return false; }

// As Arrow sizes its own: a power of two, so that every reader takes it.
Plan PlanInterop(uint64_t keys, double fpr, uint64_t seed) {
  return PlanFor(keys, fpr, {.seed = seed, .interop = true});
}

}  // namespace

const Format& ParquetFormat() {
  static constexpr Format kFormat = {
      .name = "parquet",
      .about = "Apache Parquet's Bloom filter: its header, then the bitset",
      .says = {},
      .recognises = RecognisesHeader,
      .read = ReadHeaded,
      .write = WriteHeaded,
      .plan = PlanInterop,
  };
  return kFormat;
}

const Format& BitsetFormat() {
  static constexpr Format kFormat = {
      .name = "bitset",
      .about = "the bitset of Apache Parquet's Bloom filter and nothing else",
      .says = {},
      .recognises = RecognisesBitset,
      .read = ReadBitset,
      .write = WriteBitset,
      .plan = PlanInterop,
  };
  return kFormat;
}

}  // namespace tamis
