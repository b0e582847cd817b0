#include "formats/body.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "tamis/error.h"

namespace tamis {

namespace {

constexpr uint64_t kPiece = uint64_t{1} << 20;

uint64_t SwapBytes(uint64_t word) { return __builtin_bswap64(word); }

void SwapWords(std::span<std::byte> bytes) {
  for (uint64_t at = 0; at + sizeof(uint64_t) <= bytes.size(); at += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    word = SwapBytes(word);
    std::memcpy(bytes.data() + at, &word, sizeof word);
  }
}

}  // namespace

Filter EmptyFilter(const Plan& plan, const std::string& where) {
  try {
    return Filter(plan);
  } catch (const InvalidArgument& error) {
    throw FileError(where + ": " + error.what());
  }
}

void ReadBody(const InputFile& file, uint64_t offset, std::endian order, Filter& filter,
              const std::string& where) {
  const std::span<std::byte> into(filter.mutable_data(), filter.bytes().size());
  for (uint64_t done = 0; done < into.size(); done += kPiece) {
    const auto piece = into.subspan(done, std::min<uint64_t>(kPiece, into.size() - done));
    file.Read(offset + done, piece);
    if (order == std::endian::big) SwapWords(piece);
  }
  CheckStrayBits(filter, where);
}

void CheckStrayBits(const Filter& filter, const std::string& where) {
  const uint64_t tail = filter.spec().bits() % 64;
  if (tail == 0) return;
  uint64_t last = 0;
  const std::span<const std::byte> bytes = filter.bytes();
  std::memcpy(&last, bytes.data() + bytes.size() - sizeof last, sizeof last);
  if (last >> tail == 0) return;
  throw FileError(where + ": bits past the filter's " + std::to_string(filter.spec().bits()) +
                  " are set: damaged");
}

void AppendBody(AtomicFile& out, const Filter& filter, std::endian order) {
  const std::span<const std::byte> body = filter.bytes();
  std::vector<std::byte> swapped;
  for (uint64_t done = 0; done < body.size(); done += kPiece) {
    const auto piece = body.subspan(done, std::min<uint64_t>(kPiece, body.size() - done));
    if (order == std::endian::little) {
      out.Append(piece);
      continue;
    }
    swapped.assign(piece.begin(), piece.end());
    SwapWords(swapped);
    out.Append(swapped);
  }
}

void EstimateInserted(Filter& filter) {
  const auto bits = static_cast<double>(filter.spec().bits());
  const double fill = std::fmin(filter.Fill(), 1 - 0.5 / bits);  // a full one is finite too
  const double keys = std::log1p(-fill) / std::log1p(-filter.spec().k / bits);
  filter.AddInserted(static_cast<uint64_t>(std::llround(keys)));
}

}  // namespace tamis
