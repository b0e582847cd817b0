// A filter as device code sees it: for tamis's own kernels, and for callers' kernels that want to
// ask or update a filter in the middle of other work.
//
//   __global__ void Mine(tamis::DeviceView<tamis::SplitBlock> seen, ...) {
//     if (!seen.ContainsKey(key)) { ...; seen.InsertKey(key); }
//   }
//   Mine<<<grid, block>>>(filter.View<tamis::SplitBlock>(), ...);
//
// Compile with nvcc -std=c++20 --expt-relaxed-constexpr. Which bits a key has is decided by
// tamis/bits.h alone. A view owns nothing and is copied freely; it is valid as long as the
// DeviceFilter is. Any number of threads may call any of these at once: an insert is eight atomic
// ORs, so a key that another thread is just inserting may be seen as absent, never the reverse.
// For "was it new?" use DeviceFilter::InsertNew: looking first and inserting then, or looking at
// what an atomic returned, lets two equal keys both be new.
#ifndef TAMIS_CUDA_DEVICE_VIEW_CUH_
#define TAMIS_CUDA_DEVICE_VIEW_CUH_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "tamis/bits.h"
#include "tamis/hash.h"
#include "tamis/variants/split_block.h"
#include "tamis/variants/split_block_512.h"

namespace tamis {

/// ORs bits into a word that other threads may be reading and changing.
template <typename Word>
TAMIS_HOST_DEVICE inline void AtomicOr(Word* word, Word bits) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(Word) == sizeof(unsigned)) {
    atomicOr(reinterpret_cast<unsigned*>(word), bits);
  } else {
    atomicOr(reinterpret_cast<unsigned long long*>(word), bits);
  }
#else
  std::atomic_ref<Word>(*word).fetch_or(bits, std::memory_order_relaxed);
#endif
}

/// Reads a word that other threads may be changing.
template <typename Word>
TAMIS_HOST_DEVICE inline Word AtomicLoad(const Word* word) {
#if defined(__CUDA_ARCH__)
  return *word;
#else
  return std::atomic_ref<Word>(*const_cast<Word*>(word)).load(std::memory_order_relaxed);
#endif
}

/// V is SplitBlock or SplitBlock512.
template <typename V>
struct DeviceView {
  using Word = typename V::Word;

  /// A block as the memory holds it: copied as one, the compiler loads it in the widest pieces that
  /// the device has (two of 128 bits for 32 bytes, or one of 256).
  struct alignas(32) Block {
    Word words[kBlockWords];
  };

  Block* blocks;   ///< device memory
  uint32_t count;  ///< of blocks
  uint64_t seed;   ///< of the hash of keys

  /// Whether the key with this hash is present.
  TAMIS_HOST_DEVICE bool Contains(uint64_t hash) const {
    const Place at = Locate(hash, count);
    const Block block = blocks[at.block];
    return Test(block.words, at.low);
  }
  TAMIS_HOST_DEVICE bool ContainsKey(uint64_t key) const { return Contains(Xxh64(key, seed)); }

  /// Puts in the key with this hash. The host cannot count such keys: DeviceFilter::AddInserted.
  TAMIS_HOST_DEVICE void Insert(uint64_t hash) const {
    const Place at = Locate(hash, count);
    Word* words = blocks[at.block].words;
    for (int i = 0; i < kBlockWords; ++i) {
      const auto mask = MaskWord<Word>(at.low, i);
      if ((AtomicLoad(words + i) & mask) == 0) AtomicOr(words + i, mask);
    }
  }
  TAMIS_HOST_DEVICE void InsertKey(uint64_t key) const { Insert(Xxh64(key, seed)); }
};

}  // namespace tamis

#endif  // TAMIS_CUDA_DEVICE_VIEW_CUH_
