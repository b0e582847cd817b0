// A chunk of a batch as hashes, sorted by the range of blocks that they update, so that many
// threads share the work without each of them walking the whole chunk.
//
//   keys      | piece 0         | piece 1         | ...     hashed and sorted, a thread a piece
//   sorted    | r0 | r1 | r2 .. | r0 | r1 | r2 .. | ...     segments, in batch order each
//   updated     range 0: piece 0's r0, piece 1's r0, ...    a thread a range
//   answers   | piece 0         | piece 1         | ...     put back in order, a thread a piece
//
// A block is in one range, and a range's keys stay in batch order: as with one thread. Ranges are
// of 2^n blocks, so that a key's range is a shift away from its block.
#ifndef TAMIS_TBB_PARTITION_H_
#define TAMIS_TBB_PARTITION_H_

#include <cstdint>
#include <vector>

#include "tamis/keys.h"
#include "tamis/spec.h"
#include "tbb/scratch.h"

namespace tamis {

class Partition {
 public:
  /// Keys of a piece, but for the last: whole answer words, several cache lines of them.
  static constexpr uint64_t kPiece = uint64_t{1} << 16;
  static constexpr uint64_t kMaxRanges = 256;

  /// What a chunk needs room for: hashes made here (where keys do not come as hashes), answers.
  struct Room {
    bool unsorted;
    bool answers;
  };

  /// For a chunk of `keys` and this many threads: makes room, and forgets the chunk before. Needs a
  /// Spec of whole blocks (not a classic one).
  void Reset(const Spec& spec, uint64_t keys, int threads, Room room);

  uint64_t pieces() const { return pieces_; }
  uint64_t ranges() const { return ranges_; }

  /// The first key of a piece, and how many it has.
  uint64_t First(uint64_t piece) const { return piece * piece_keys_; }
  uint64_t Count(uint64_t piece) const;
  /// Where the piece's hashes are to be written before it is sorted.
  uint64_t* Unsorted(uint64_t piece) { return unsorted_.data() + First(piece) * words_; }

  /// Sorts a piece by range. Pieces at once, each by one thread.
  void Sort(uint64_t piece) { SortFrom(piece, Unsorted(piece)); }
  /// The same with hashes that lie elsewhere, and stay there until PutBack.
  void SortFrom(uint64_t piece, const uint64_t* hashes);

  /// A piece's keys of one range, in batch order, and where their answers are to be written.
  Keys Segment(uint64_t piece, uint64_t range) const;
  uint8_t* Answers(uint64_t piece, uint64_t range);

  /// Writes the answers of all segments of a piece to `answers` in batch order.
  void PutBack(uint64_t piece, uint8_t* answers) const;

 private:
  uint64_t RangeOf(uint64_t hash) const { return ((hash >> 32) * blocks_ >> 32) >> shift_; }
  // Of a segment: where it begins in its piece. One more a piece, for its end.
  const uint32_t* Begins(uint64_t piece) const { return begins_.data() + piece * (ranges_ + 1); }
  // Where a segment's answers begin: with a word of their own.
  uint64_t WordOf(uint64_t piece, uint64_t begin, uint64_t range) const {
    return piece * (piece_keys_ / 64 + ranges_) + begin / 64 + range;
  }

  uint64_t keys_ = 0;
  uint64_t blocks_ = 1;
  uint64_t words_ = 1;  // of a hash
  int shift_ = 0;       // blocks of a range, as a power of two
  uint64_t ranges_ = 1;
  uint64_t piece_keys_ = kPiece;
  uint64_t pieces_ = 0;
  Scratch<uint64_t> unsorted_;
  std::vector<const uint64_t*> hashes_;  // of each piece
  Scratch<uint64_t> sorted_;
  std::vector<uint32_t> begins_;
  Scratch<uint64_t> answers_;
};

}  // namespace tamis

#endif  // TAMIS_TBB_PARTITION_H_
