#include "formats/thrift.h"

#include "tamis/error.h"

namespace tamis {

namespace {

int64_t UnZigzag(uint64_t value) { return static_cast<int64_t>((value >> 1) ^ (0 - (value & 1))); }

ThriftType TypeOf(unsigned number) { return static_cast<ThriftType>(number & 0xf); }

}  // namespace

void ThriftReader::Refuse(const std::string& what) const {
  throw FileError(where_ + ": " + what + " at its byte " + std::to_string(at_) + ": damaged");
}

uint8_t ThriftReader::Byte() {
  if (at_ == bytes_.size()) Refuse("it ends");
  return std::to_integer<uint8_t>(bytes_[at_++]);
}

uint64_t ThriftReader::Varint() {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const uint8_t byte = Byte();
    value |= uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return value;
  }
  Refuse("number of more than 64 bits");
}

void ThriftReader::Advance(uint64_t bytes) {
  if (bytes > bytes_.size() - at_) Refuse("length " + std::to_string(bytes));
  at_ += bytes;
}

void ThriftReader::Enter() {
  if (++depth_ > kMostDepth) Refuse("nesting past " + std::to_string(kMostDepth));
}

ThriftType ThriftReader::NextField(int& id) {
  const unsigned header = Byte();
  if (header == 0) return ThriftType::kStop;
  const unsigned step = header >> 4;
  const int64_t next = step != 0 ? id + int64_t{step} : UnZigzag(Varint());
  if (next < INT16_MIN || next > INT16_MAX) Refuse("field " + std::to_string(next));
  id = static_cast<int>(next);
  if (TypeOf(header) == ThriftType::kStop) Refuse("field without a type");
  return TypeOf(header);
}

ThriftReader::ListHeader ThriftReader::BeginList() {
  const unsigned header = Byte();
  const uint64_t size = (header >> 4) == 0xf ? Varint() : header >> 4;
  // An element takes a byte at least, so a list that claims more than is left ends here.
  if (size > bytes_.size() - at_) Refuse("list of " + std::to_string(size));
  return {size, TypeOf(header)};
}

int64_t ThriftReader::Int() { return UnZigzag(Varint()); }

std::string_view ThriftReader::Binary() {
  const uint64_t size = Varint();
  const auto* begin = reinterpret_cast<const char*>(bytes_.data()) + at_;
  Advance(size);
  return {begin, size};
}

void ThriftReader::SkipMap() {
  const uint64_t size = Varint();
  if (size == 0) return;
  const unsigned types = Byte();
  if (size > bytes_.size() - at_) Refuse("map of " + std::to_string(size));
  Enter();
  for (uint64_t i = 0; i < size; ++i) {
    SkipElement(TypeOf(types >> 4));
    SkipElement(TypeOf(types));
  }
  Leave();
}

void ThriftReader::SkipElement(ThriftType type) {
  const bool boolean = type == ThriftType::kTrue || type == ThriftType::kFalse;
  boolean ? Advance(1) : Skip(type);  // a boolean has a byte here, none as a field
}

void ThriftReader::Skip(ThriftType type) {
  switch (type) {
    case ThriftType::kTrue:
    case ThriftType::kFalse:
      return;
    case ThriftType::kByte:
      return Advance(1);
    case ThriftType::kI16:
    case ThriftType::kI32:
    case ThriftType::kI64:
      Varint();
      return;
    case ThriftType::kDouble:
      return Advance(sizeof(double));
    case ThriftType::kBinary:
      Binary();
      return;
    case ThriftType::kList:
    case ThriftType::kSet:
      return List(ThriftType::kStop, [] {});
    case ThriftType::kMap:
      return SkipMap();
    case ThriftType::kStruct:
      return Struct([this](int, ThriftType inner) { Skip(inner); });
    case ThriftType::kStop:
      break;
  }
  Refuse("type " + std::to_string(static_cast<int>(type)));
}

}  // namespace tamis
