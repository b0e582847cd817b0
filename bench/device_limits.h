// What a GPU's memory can do at best at random, from which no filter gets more: blocks read, and
// words ORed in a block by one lane each.
#ifndef TAMIS_BENCH_DEVICE_LIMITS_H_
#define TAMIS_BENCH_DEVICE_LIMITS_H_

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace tamis::bench {

/// An array in the device's memory.
struct DeviceArray {
  std::byte* data;
  uint64_t bytes;        ///< a multiple of 64
  uint32_t block_bytes;  ///< 32 or 64
};

/// Puts into the default stream: `count` reads of whole blocks, or ORs of eight words in blocks, at
/// random places that follow from `seed`. `blocks` is how many thread blocks of 256 do it.
void ReadAtRandom(const DeviceArray& array, uint64_t count, uint64_t seed, unsigned blocks,
                  uint64_t* sink);
void OrAtRandom(const DeviceArray& array, uint64_t count, uint64_t seed, unsigned blocks);

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_DEVICE_LIMITS_H_
