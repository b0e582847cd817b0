#include "bench/device_limits.h"

namespace tamis::bench {

namespace {

constexpr unsigned kThreads = 256;
constexpr int kAtOnce = 4;  // blocks that a thread has under way

__device__ uint64_t Scrambled(uint64_t x) {
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93;
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93;
  return x ^ (x >> 32);
}

__device__ uint64_t RandomBlock(uint64_t i, uint64_t seed, uint64_t blocks) {
  return (Scrambled(seed + i) >> 32) * blocks >> 32;
}

template <typename Word>
struct alignas(32) Block {
  Word words[8];
};

template <typename Word>
__global__ void __launch_bounds__(kThreads)
    ReadKernel(const Block<Word>* array, uint64_t blocks, uint64_t count, uint64_t seed,
               uint64_t* sink) {
  const uint64_t step = uint64_t{gridDim.x} * kThreads;
  uint64_t sum = 0;
  for (uint64_t i = uint64_t{blockIdx.x} * kThreads + threadIdx.x; i < count; i += kAtOnce * step) {
    Block<Word> read[kAtOnce];
    for (int j = 0; j < kAtOnce; ++j) read[j] = array[RandomBlock(i + j * step, seed, blocks)];
    for (int j = 0; j < kAtOnce; ++j) {
      for (int word = 0; word < 8; ++word) sum += read[j].words[word];
    }
  }
  if (sum == 0x123456789) *sink = sum;  // or nothing would be read at all
}

template <typename Word>
__global__ void __launch_bounds__(kThreads)
    OrKernel(Block<Word>* array, uint64_t blocks, uint64_t count, uint64_t seed) {
  const uint64_t step = uint64_t{gridDim.x} * kThreads / 8;
  const unsigned word = threadIdx.x % 8;
  for (uint64_t i = (uint64_t{blockIdx.x} * kThreads + threadIdx.x) / 8; i < count; i += step) {
    const uint64_t bits = Scrambled(seed + i);
    atomicOr(&array[(bits >> 32) * blocks >> 32].words[word], Word{1} << (bits % 32));
  }
}

}  // namespace

void ReadAtRandom(const DeviceArray& array, uint64_t count, uint64_t seed, unsigned blocks,
                  uint64_t* sink) {
  const uint64_t size = array.bytes / array.block_bytes;
  if (array.block_bytes == sizeof(Block<unsigned>)) {
    ReadKernel<<<blocks, kThreads>>>(reinterpret_cast<const Block<unsigned>*>(array.data), size,
                                     count, seed, sink);
  } else {
    ReadKernel<<<blocks, kThreads>>>(reinterpret_cast<const Block<unsigned long long>*>(array.data),
                                     size, count, seed, sink);
  }
}

void OrAtRandom(const DeviceArray& array, uint64_t count, uint64_t seed, unsigned blocks) {
  const uint64_t size = array.bytes / array.block_bytes;
  if (array.block_bytes == sizeof(Block<unsigned>)) {
    OrKernel<<<blocks, kThreads>>>(reinterpret_cast<Block<unsigned>*>(array.data), size, count,
                                   seed);
  } else {
    OrKernel<<<blocks, kThreads>>>(reinterpret_cast<Block<unsigned long long>*>(array.data), size,
                                   count, seed);
  }
}

}  // namespace tamis::bench
