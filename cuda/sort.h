// Stable radix sorts of 64-bit words: what is sorted, and, on the device, the sort itself, compiled
// once for all who need one.
#ifndef TAMIS_CUDA_SORT_H_
#define TAMIS_CUDA_SORT_H_

#include <cstdint>

namespace tamis::gpu {

struct Queue;

/// Which bits of words are compared: `begin` to end - 1.
struct SortBits {
  int begin;
  int end;
};

/// Words, as much memory again, and, if they are not null, an index to go with each word. A sort
/// swaps the pointers: `words` and `indices` are the sorted ones, the others are free again.
struct Sorted {
  uint64_t* words;
  uint64_t* spare;
  uint32_t* indices = nullptr;
  uint32_t* spare_indices = nullptr;
};

/// Temporary memory for sorting n words, with indices or without.
uint64_t SortScratchBytes(uint64_t n, SortBits bits, bool with_indices);

/// Sorts n words, in the queue's stream. `temporary` is SortScratchBytes() bytes.
void Sort(const Queue& queue, Sorted& sorted, uint64_t n, SortBits bits, void* temporary,
          uint64_t temporary_bytes);

}  // namespace tamis::gpu

#endif  // TAMIS_CUDA_SORT_H_
