// The ORs of folding (tamis/fold.h says why they are right). `to` is zeros and has the size that is
// asked for; `from` has `factor` times that. Plain loops over words: they run at the speed of
// memory, but for FoldNeighbours by an odd factor, which looks at every bit of the result.
#ifndef TAMIS_CORE_FOLD_BITS_H_
#define TAMIS_CORE_FOLD_BITS_H_

#include <cstdint>

namespace tamis {

/// Blocks of kWords words: block i is the OR of blocks factor * i to factor * i + factor - 1.
template <typename Word, int kWords>
void FoldBlocks(const Word* from, Word* to, uint64_t blocks, uint64_t factor) {
  for (uint64_t block = 0; block < blocks; ++block, to += kWords) {
    Word sum[kWords] = {};
    for (uint64_t i = 0; i < factor; ++i, from += kWords) {
      for (int word = 0; word < kWords; ++word) sum[word] |= from[word];
    }
    for (int word = 0; word < kWords; ++word) to[word] = sum[word];
  }
}

/// `bits` bits: bit i is the OR of bits factor * i to factor * i + factor - 1.
void FoldNeighbours(const uint64_t* from, uint64_t* to, uint64_t bits, uint64_t factor);

/// `bits` bits: bit i is the OR of bits i, i + bits, i + 2 * bits and so on.
void FoldRemainders(const uint64_t* from, uint64_t* to, uint64_t bits, uint64_t factor);

}  // namespace tamis

#endif  // TAMIS_CORE_FOLD_BITS_H_
