#include <cub/device/device_radix_sort.cuh>

#include "cuda/check.h"
#include "cuda/kernels.h"
#include "cuda/sort.h"

namespace tamis::gpu {

namespace {

// With `temporary` null, only says in `bytes` how much is needed.
void SortOrPlan(Sorted& sorted, bool with_indices, uint64_t n, SortBits bits, void* temporary,
                size_t& bytes, cudaStream_t stream) {
  cub::DoubleBuffer<uint64_t> words(sorted.words, sorted.spare);
  cub::DoubleBuffer<uint32_t> indices(sorted.indices, sorted.spare_indices);
  Check(with_indices ? cub::DeviceRadixSort::SortPairs(temporary, bytes, words, indices, n,
                                                       bits.begin, bits.end, stream)
                     : cub::DeviceRadixSort::SortKeys(temporary, bytes, words, n, bits.begin,
                                                      bits.end, stream),
        "sorting on the device");
  sorted = {words.Current(), words.Alternate(), indices.Current(), indices.Alternate()};
}

}  // namespace

uint64_t SortScratchBytes(uint64_t n, SortBits bits, bool with_indices) {
  Sorted none = {nullptr, nullptr};
  size_t bytes = 0;
  SortOrPlan(none, with_indices, n, bits, nullptr, bytes, nullptr);
  return bytes;
}

void Sort(const Queue& queue, Sorted& sorted, uint64_t n, SortBits bits, void* temporary,
          uint64_t temporary_bytes) {
  if (bits.begin == bits.end) return;  // in order as they are
  size_t bytes = temporary_bytes;
  SortOrPlan(sorted, sorted.indices != nullptr, n, bits, temporary, bytes, queue.stream);
}

}  // namespace tamis::gpu
