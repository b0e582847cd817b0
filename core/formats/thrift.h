// Reads Thrift's compact protocol, as much of it as Parquet's footers use, from bytes that may be
// hostile: every length is held against what is left, and structs nest to a limit. Written from
// https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md. Not installed.
//
//   ThriftReader in(bytes, "file.parquet: footer");
//   in.Struct([&](int field, ThriftType type) {
//     if (field == 3 && type == ThriftType::kI64) rows = in.Int();
//     else in.Skip(type);
//   });
#ifndef TAMIS_CORE_FORMATS_THRIFT_H_
#define TAMIS_CORE_FORMATS_THRIFT_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tamis {

/// Types of fields and of elements, by their numbers in the protocol.
enum class ThriftType : uint8_t {
  kStop = 0,
  kTrue = 1,
  kFalse = 2,
  kByte = 3,
  kI16 = 4,
  kI32 = 5,
  kI64 = 6,
  kDouble = 7,
  kBinary = 8,
  kList = 9,
  kSet = 10,
  kMap = 11,
  kStruct = 12,
};

class ThriftReader {
 public:
  /// `where` begins every message of the FileErrors thrown.
  ThriftReader(std::span<const std::byte> bytes, std::string where)
      : bytes_(bytes), where_(std::move(where)) {}

  /// Bytes read so far.
  uint64_t position() const { return at_; }

  /// Calls `field(id, type)` for every field of a struct; it must read or skip the value. A boolean
  /// has none: its type is its value.
  template <typename F>
  void Struct(F&& field) {
    Enter();
    int id = 0;
    for (ThriftType type = NextField(id); type != ThriftType::kStop; type = NextField(id)) {
      field(id, type);
    }
    Leave();
  }

  /// Calls `element()` for every element of a list, which are of type `type`; else skips them.
  template <typename F>
  void List(ThriftType type, F&& element) {
    Enter();
    const ListHeader header = BeginList();
    for (uint64_t i = 0; i < header.size; ++i) {
      if (header.type == type) {
        element();
      } else {
        SkipElement(header.type);
      }
    }
    Leave();
  }

  int64_t Int();  ///< kI16, kI32 or kI64
  std::string_view Binary();
  void Skip(ThriftType type);  ///< a field's value

 private:
  static constexpr int kMostDepth = 32;

  struct ListHeader {
    uint64_t size;
    ThriftType type;
  };

  [[noreturn]] void Refuse(const std::string& what) const;
  uint8_t Byte();
  uint64_t Varint();
  ThriftType NextField(int& id);  ///< `id` is the field's before, and becomes this one's
  ListHeader BeginList();
  void SkipElement(ThriftType type);
  void SkipMap();
  void Advance(uint64_t bytes);
  void Enter();
  void Leave() { --depth_; }

  std::span<const std::byte> bytes_;
  std::string where_;
  uint64_t at_ = 0;
  int depth_ = 0;
};

}  // namespace tamis

#endif  // TAMIS_CORE_FORMATS_THRIFT_H_
