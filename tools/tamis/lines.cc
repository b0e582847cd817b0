#include "lines.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tamis::command {

namespace {

// Where records begin, as they are found. Room is made ahead, for a block of empty records.
class Offsets {
 public:
  static constexpr size_t kBlock = 64;

  Offsets(std::vector<uint32_t>& offsets, size_t text_size)
      : offsets_(offsets), most_(text_size + kBlock + 2) {
    MakeRoom();
    offsets_[0] = 0;
  }
  void MakeRoom() {
    const size_t needed = found_ + kBlock + 1;
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

// Goes over whole blocks at the beginning of the text and returns where they end. A mask of a block
// at a time finds lines of 60 bytes three times as fast as a call of memchr for each (1.7 against
// 5.5 ns a line on Zen 5); wider registers would add little.
size_t ScanBlocks(std::string_view text, char delimiter, Offsets& offsets) {
  size_t at = 0;
#if defined(__SSE2__)
  const __m128i wanted = _mm_set1_epi8(delimiter);
  const auto mask = [&](const char* bytes) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
    return uint64_t{static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(block, wanted)))};
  };
  for (; at + Offsets::kBlock <= text.size(); at += Offsets::kBlock) {
    const char* bytes = text.data() + at;
    uint64_t hits =
        mask(bytes) | mask(bytes + 16) << 16 | mask(bytes + 32) << 32 | mask(bytes + 48) << 48;
    offsets.MakeRoom();
    for (; hits != 0; hits &= hits - 1) {
      offsets.Add(at + static_cast<size_t>(std::countr_zero(hits)) + 1);
    }
  }
#else
  static_cast<void>(text);
  static_cast<void>(delimiter);
  static_cast<void>(offsets);
#endif
  return at;
}

}  // namespace

void FindRecords(Chunk& chunk, char delimiter) {
  const std::string_view text = chunk.text();
  Offsets offsets(chunk.offsets, text.size());
  for (size_t at = ScanBlocks(text, delimiter, offsets); at < text.size();) {
    const void* hit = std::memchr(text.data() + at, delimiter, text.size() - at);
    if (hit == nullptr) break;
    at = static_cast<size_t>(static_cast<const char*>(hit) - text.data()) + 1;
    offsets.MakeRoom();
    offsets.Add(at);
  }
  if (offsets.last() < text.size()) {
    offsets.MakeRoom();
    offsets.Add(text.size() + 1);
  }
  chunk.records = offsets.found();
}

void HashRecords(Chunk& chunk, char delimiter, const Engine& engine, const Spec& spec) {
  chunk.hash_words = spec.hash_words();
  const auto words = static_cast<size_t>(chunk.hash_words);
  if (chunk.oversize()) {
    chunk.records = 1;
    if (chunk.hashes.size() < words) chunk.hashes.resize(words);
    const std::string_view record(chunk.buffer.data(), chunk.size - (chunk.unterminated ? 0 : 1));
    engine.Hash(spec, Keys::Views({&record, 1}), chunk.hashes);
    return;
  }
  FindRecords(chunk, delimiter);
  const size_t needed = chunk.records * words;
  if (chunk.hashes.size() < needed) chunk.hashes.resize(needed + needed / 8);
  const std::span<const uint32_t> offsets(chunk.offsets.data(), chunk.records + 1);
  engine.Hash(spec, Keys::Strings(offsets, chunk.buffer.data(), 1), chunk.hashes);
}

}  // namespace tamis::command
