#include "tbb/partition.h"

#include <algorithm>
#include <array>
#include <bit>

#include "tamis/answers.h"

namespace tamis {

namespace {

template <typename T>
void Grow(std::vector<T>& vector, uint64_t size) {
  if (vector.size() < size) vector.resize(size);
}

constexpr uint64_t RoundedUp(uint64_t n, uint64_t to) { return (n + to - 1) / to * to; }

}  // namespace

void Partition::Reset(const Spec& spec, uint64_t keys, int threads, Room room) {
  keys_ = keys;
  blocks_ = spec.blocks;
  words_ = static_cast<uint64_t>(spec.hash_words());
  const auto workers = static_cast<uint64_t>(threads);
  // One or two ranges a thread: more would cut segments too short to prefetch far ahead in them.
  const uint64_t wanted = std::min({workers, kMaxRanges / 2, blocks_});
  shift_ = static_cast<int>(std::bit_width(blocks_ / wanted)) - 1;
  ranges_ = ((blocks_ - 1) >> shift_) + 1;
  constexpr uint64_t kGrain = 512;  // keys whose answers are a cache line
  piece_keys_ = std::clamp(RoundedUp(keys / workers + 1, kGrain), 8 * kGrain, kPiece);
  pieces_ = keys / piece_keys_ + (keys % piece_keys_ != 0);
  Grow(hashes_, pieces_);
  Grow(begins_, pieces_ * (ranges_ + 1));
  sorted_.Reserve(keys * words_);
  if (room.unsorted) unsorted_.Reserve(keys * words_);
  if (room.answers) answers_.Reserve(WordOf(pieces_, 0, 0));
}

uint64_t Partition::Count(uint64_t piece) const {
  return std::min(piece_keys_, keys_ - First(piece));
}

void Partition::SortFrom(uint64_t piece, const uint64_t* hashes) {
  hashes_[piece] = hashes;
  const uint64_t count = Count(piece);
  std::array<uint32_t, kMaxRanges> next{};
  for (uint64_t i = 0; i < count; ++i) ++next[RangeOf(hashes[i * words_])];
  uint32_t* begins = begins_.data() + piece * (ranges_ + 1);
  uint32_t begin = 0;
  for (uint64_t range = 0; range < ranges_; ++range) {
    begins[range] = begin;
    begin += next[range];
    next[range] = begins[range];
  }
  begins[ranges_] = begin;
  uint64_t* sorted = sorted_.data() + First(piece) * words_;
  if (words_ == 1) {
    for (uint64_t i = 0; i < count; ++i) sorted[next[RangeOf(hashes[i])]++] = hashes[i];
    return;
  }
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t* hash = hashes + i * words_;
    std::copy_n(hash, words_, sorted + next[RangeOf(*hash)]++ * words_);
  }
}

Keys Partition::Segment(uint64_t piece, uint64_t range) const {
  const uint32_t* begins = Begins(piece);
  const uint64_t count = begins[range + 1] - begins[range];
  const uint64_t* hashes = sorted_.data() + (First(piece) + begins[range]) * words_;
  return Keys::Hashes({hashes, count * words_}, static_cast<int>(words_));
}

uint8_t* Partition::Answers(uint64_t piece, uint64_t range) {
  return reinterpret_cast<uint8_t*>(&answers_[WordOf(piece, Begins(piece)[range], range)]);
}

void Partition::PutBack(uint64_t piece, uint8_t* answers) const {
  const uint32_t* begins = Begins(piece);
  std::array<uint64_t, kMaxRanges> next;  // bit of answers_ that is a range's next
  for (uint64_t range = 0; range < ranges_; ++range) {
    next[range] = 64 * WordOf(piece, begins[range], range);
  }
  const uint64_t* hashes = hashes_[piece];
  const uint64_t count = Count(piece);
  for (uint64_t first = 0; first < count; first += 64) {
    const uint64_t valid = std::min<uint64_t>(64, count - first);
    uint64_t word = 0;
    for (uint64_t i = 0; i < valid; ++i) {
      const uint64_t bit = next[RangeOf(hashes[(first + i) * words_])]++;
      word |= (answers_[bit / 64] >> (bit % 64) & 1) << i;
    }
    PutAnswers(answers + first / 8, word, valid);
  }
}

}  // namespace tamis
