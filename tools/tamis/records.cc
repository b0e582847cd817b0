#include "records.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string_view>

#include "byte_scan.h"
#include "table.h"

namespace tamis::command {

namespace {

// Where records begin, as they are found. Room is made ahead, for a block of empty records.
class Offsets {
 public:
  Offsets(std::vector<uint32_t>& offsets, size_t text_size)
      : offsets_(offsets), most_(text_size + kScanBlock + 2) {
    MakeRoom();
    offsets_[0] = 0;
  }
  void MakeRoom() {
    const size_t needed = found_ + kScanBlock + 1;
    if (offsets_.size() < needed) offsets_.resize(std::min(2 * needed + 1024, most_));
  }
  void Add(size_t offset) { offsets_[++found_] = static_cast<uint32_t>(offset); }
  uint64_t found() const { return found_; }
  uint32_t last() const { return offsets_[found_]; }

 private:
  std::vector<uint32_t>& offsets_;
  size_t most_;  // with every record empty
  uint64_t found_ = 0;
};

// Goes over whole blocks at the beginning of the text and returns where they end.
size_t ScanBlocks(std::string_view text, char delimiter, Offsets& offsets) {
  size_t at = 0;
  for (; kHasByteMask && at + kScanBlock <= text.size(); at += kScanBlock) {
    uint64_t hits = ByteMask(text.data() + at, std::array{delimiter});
    offsets.MakeRoom();
    for (; hits != 0; hits &= hits - 1) {
      offsets.Add(at + static_cast<size_t>(std::countr_zero(hits)) + 1);
    }
  }
  return at;
}

void FindDelimited(std::string_view text, char delimiter, Offsets& offsets) {
  for (size_t at = ScanBlocks(text, delimiter, offsets); at < text.size();) {
    const void* hit = std::memchr(text.data() + at, delimiter, text.size() - at);
    if (hit == nullptr) break;
    at = static_cast<size_t>(static_cast<const char*>(hit) - text.data()) + 1;
    offsets.MakeRoom();
    offsets.Add(at);
  }
}

void FindRows(std::string_view text, const RecordFormat& format, Offsets& offsets) {
  TableCursor().Scan(text, format, [&](size_t at, bool ends_record) {
    if (ends_record) {
      offsets.MakeRoom();
      offsets.Add(at + 1);
    }
    return true;
  });
}

void FindFixed(std::string_view text, uint32_t width, Offsets& offsets) {
  for (size_t at = width; at < text.size() + width; at += width) {
    offsets.MakeRoom();
    offsets.Add(std::min(at, text.size()));
  }
}

}  // namespace

void FindRecords(Chunk& chunk, const RecordFormat& format) {
  chunk.gap = static_cast<uint32_t>(format.end().size());
  if (chunk.oversize()) {
    chunk.records = 1;
    return;
  }
  const std::string_view text = chunk.text();
  Offsets offsets(chunk.offsets, text.size());
  switch (format.framing) {
    case RecordFormat::Framing::kDelimited:
      FindDelimited(text, format.delimiter, offsets);
      break;
    case RecordFormat::Framing::kTable:
      FindRows(text, format, offsets);
      break;
    case RecordFormat::Framing::kFixed:
      FindFixed(text, format.width, offsets);
      break;
  }
  if (offsets.last() < text.size()) {
    offsets.MakeRoom();
    offsets.Add(text.size() + 1);
  }
  chunk.records = offsets.found();
}

std::string_view RecordAt(const Chunk& chunk, uint64_t i) {
  const std::string_view text = chunk.text();
  if (chunk.oversize()) return text.substr(0, text.size() - (chunk.unterminated ? 0 : chunk.gap));
  return text.substr(chunk.offsets[i], chunk.offsets[i + 1] - chunk.offsets[i] - chunk.gap);
}

}  // namespace tamis::command
