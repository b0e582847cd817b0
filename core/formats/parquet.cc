// Parquet's footer: which columns of which row groups have a Bloom filter, and where it lies.
//
//   "PAR1" ... pages, bitsets ... footer (FileMetaData, Thrift) ... u32 its length, "PAR1"

#include "tamis/parquet.h"

#include <array>
#include <cstring>
#include <optional>
#include <string_view>

#include "checker.h"
#include "formats/body.h"
#include "formats/parquet_header.h"
#include "formats/thrift.h"

namespace tamis {

namespace {

constexpr uint64_t kTail = 8;  // the footer's length, and the magic at the end
constexpr uint64_t kMagic = 4;

std::string ReadText(const InputFile& file, uint64_t offset, uint64_t bytes) {
  std::string text(bytes, '\0');
  file.Read(offset, std::as_writable_bytes(std::span(text)));
  return text;
}

// The footer's bytes, once both magics and its length are right.
std::string ReadFooter(const InputFile& file) {
  const std::string& path = file.path();
  if (file.size() < kMagic + kTail) {
    throw FileError(path + ": file length " + std::to_string(file.size()) +
                    ": expected at least 12 bytes of a Parquet file");
  }
  const std::string head = ReadText(file, 0, kMagic);
  const std::string tail = ReadText(file, file.size() - kTail, kTail);
  const std::string_view magic = std::string_view(tail).substr(4);
  if (magic == "PARE")
    throw FileError(path + ": an encrypted Parquet file, which tamis cannot read");
  if (head != "PAR1" || magic != "PAR1") {
    throw FileError(path + ": no Parquet file: expected PAR1 at its beginning and end");
  }
  uint32_t length = 0;
  std::memcpy(&length, tail.data(), sizeof length);
  if (length > file.size() - kMagic - kTail) {
    throw FileError(path + ": footer length " + std::to_string(length) + ": the file has " +
                    std::to_string(file.size()) + " bytes");
  }
  return ReadText(file, file.size() - kTail - length, length);
}

// What a column's metadata says of its filter.
struct Column {
  std::string name;
  int64_t type = 0;
  std::optional<int64_t> offset;
};

Column ReadColumnMetaData(ThriftReader& in) {
  Column column;
  in.Struct([&](int id, ThriftType type) {
    if (id == 1 && type == ThriftType::kI32) {
      column.type = in.Int();
    } else if (id == 3 && type == ThriftType::kList) {
      in.List(ThriftType::kBinary, [&] {
        if (!column.name.empty()) column.name += '.';
        column.name += in.Binary();
      });
    } else if (id == 14 && type == ThriftType::kI64) {
      column.offset = in.Int();
    } else {
      in.Skip(type);
    }
  });
  return column;
}

struct RowGroup {
  std::vector<Column> columns;
  int64_t rows = 0;
};

RowGroup ReadRowGroup(ThriftReader& in, const std::string& path) {
  RowGroup group;
  in.Struct([&](int id, ThriftType type) {
    if (id == 1 && type == ThriftType::kList) {
      in.List(ThriftType::kStruct, [&] {
        in.Struct([&](int field, ThriftType inner) {
          if (field == 1 && inner == ThriftType::kBinary) {
            throw FileError(path + ": a column lies in another file, " + std::string(in.Binary()));
          }
          if (field == 3 && inner == ThriftType::kStruct) {
            group.columns.push_back(ReadColumnMetaData(in));
          } else {
            in.Skip(inner);
          }
        });
      });
    } else if (id == 3 && type == ThriftType::kI64) {
      group.rows = in.Int();
    } else {
      in.Skip(type);
    }
  });
  return group;
}

ParquetFilter PlaceOf(const InputFile& file, const Column& column, uint64_t row_group,
                      int64_t rows) {
  const std::string where =
      file.path() + ": column " + column.name + ", row group " + std::to_string(row_group);
  const Checker check(where);
  const bool known = column.type >= 0 && column.type <= 7;
  if (!known) check.Refuse("type", std::to_string(column.type), "0 to 7");
  if (rows < 0) check.Refuse("rows", std::to_string(rows), "0 or more");
  if (*column.offset < 0) check.Refuse("offset", std::to_string(*column.offset), "0 or more");
  const auto offset = static_cast<uint64_t>(*column.offset);
  const ParquetHeader header = ReadParquetHeader(file, offset, where);
  return {.column = column.name,
          .type = static_cast<ParquetType>(column.type),
          .row_group = row_group,
          .rows = static_cast<uint64_t>(rows),
          .offset = offset + header.header_bytes,
          .bytes = header.bitset_bytes};
}

}  // namespace

std::string_view NameOf(ParquetType type) {
  constexpr std::array<std::string_view, 8> kNames = {
      "BOOLEAN", "INT32",  "INT64",      "INT96",
      "FLOAT",   "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"};
  return kNames.at(static_cast<size_t>(type));
}

bool IsParquet(const std::string& path) {
  try {
    const InputFile file(path);
    return file.size() >= kMagic + kTail && ReadText(file, 0, kMagic) == "PAR1";
  } catch (const FileError&) {
    return false;
  }
}

ParquetFilters ListParquetFilters(const std::string& path) {
  const InputFile file(path);
  const std::string footer = ReadFooter(file);
  ThriftReader in(std::as_bytes(std::span(footer)), path + ": footer");
  ParquetFilters found;
  in.Struct([&](int id, ThriftType type) {
    if (id != 4 || type != ThriftType::kList) return in.Skip(type);
    in.List(ThriftType::kStruct, [&] {
      const RowGroup group = ReadRowGroup(in, path);
      for (const Column& column : group.columns) {
        if (!column.offset) continue;
        found.filters.push_back(PlaceOf(file, column, found.row_groups, group.rows));
      }
      ++found.row_groups;
    });
  });
  return found;
}

Filter ReadParquetFilter(const std::string& path, const ParquetFilter& place) {
  const InputFile file(path);
  const Spec spec = ParquetSpec(place.bytes, path);
  if (place.offset > file.size() || place.bytes > file.size() - place.offset) {
    throw FileError(path + ": a bitset of " + std::to_string(place.bytes) + " bytes at " +
                    std::to_string(place.offset) + ": the file has " + std::to_string(file.size()));
  }
  Filter filter = EmptyFilter({.spec = spec}, path);
  ReadBody(file, place.offset, std::endian::little, filter, path);
  EstimateInserted(filter);
  return filter;
}

}  // namespace tamis
