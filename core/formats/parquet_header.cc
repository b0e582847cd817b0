#include "formats/parquet_header.h"

#include <algorithm>
#include <array>

#include "checker.h"
#include "formats/thrift.h"

namespace tamis {

namespace {

// More than any writer's header takes, whose fields are five small numbers.
constexpr uint64_t kMostHeader = 256;

// The id of a union's member, all of which are empty structs.
int UnionMember(ThriftReader& in) {
  int member = 0;
  in.Struct([&](int id, ThriftType type) {
    member = id;
    in.Skip(type);
  });
  return member;
}

}  // namespace

ParquetHeader ReadParquetHeader(const InputFile& file, uint64_t offset, const std::string& where) {
  if (offset >= file.size()) {
    throw FileError(where + ": offset " + std::to_string(offset) + " of a Bloom filter: the file " +
                    "has " + std::to_string(file.size()) + " bytes");
  }
  std::array<std::byte, kMostHeader> raw;
  const auto head = std::span(raw).first(std::min<uint64_t>(raw.size(), file.size() - offset));
  file.Read(offset, head);
  ThriftReader in(head, where + ": Bloom filter header");
  int64_t bytes = -1;
  int algorithm = 0;
  int hash = 0;
  int compression = 0;
  in.Struct([&](int id, ThriftType type) {
    if (id == 1 && type == ThriftType::kI32) {
      bytes = in.Int();
    } else if (id >= 2 && id <= 4 && type == ThriftType::kStruct) {
      (id == 2 ? algorithm : id == 3 ? hash : compression) = UnionMember(in);
    } else {
      in.Skip(type);
    }
  });
  const Checker check(where);
  check(algorithm == 1, "algorithm", static_cast<uint64_t>(algorithm), "1 (split block)");
  check(hash == 1, "hash", static_cast<uint64_t>(hash), "1 (XXH64)");
  check(compression == 1, "compression", static_cast<uint64_t>(compression), "1 (none)");
  const uint64_t left = file.size() - offset - in.position();
  if (bytes <= 0 || bytes % 32 != 0 || static_cast<uint64_t>(bytes) > left) {
    check.Refuse(
        "bitset length", std::to_string(bytes),
        "a positive multiple of 32, at most the " + std::to_string(left) + " bytes that are left");
  }
  return {.header_bytes = in.position(), .bitset_bytes = static_cast<uint64_t>(bytes)};
}

std::string ParquetHeaderBytes(uint64_t bitset_bytes) {
  std::string header = "\x15";  // field 1, an i32
  uint64_t zigzag = 2 * bitset_bytes;
  for (; zigzag >= 0x80; zigzag >>= 7) header += static_cast<char>(0x80 | (zigzag & 0x7f));
  header += static_cast<char>(zigzag);
  for (int i = 0; i < 3; ++i) header.append("\x1c\x1c\0\0", 4);  // a union of an empty struct
  return header + '\0';
}

Spec ParquetSpec(uint64_t bytes, const std::string& where) {
  constexpr uint64_t kBlock = 32;
  if (bytes == 0 || bytes % kBlock != 0 || bytes / kBlock > kMaxBlocks) {
    Checker(where).Refuse(
        "bitset length", std::to_string(bytes),
        "a positive multiple of 32, at most " + std::to_string(kMaxBlocks * kBlock));
  }
  return {.variant = Variant::kSplitBlock, .blocks = bytes / kBlock};
}

}  // namespace tamis
