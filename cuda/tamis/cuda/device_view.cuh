// A filter as device code sees it: for tamis's own kernels, and for callers' kernels that want to
// ask or update a filter in the middle of other work.
//
//   __global__ void Mine(tamis::DeviceView<tamis::SplitBlock> seen, ...) {
//     if (!seen.ContainsKey(key)) { ...; seen.InsertKey(key); }
//   }
//   Mine<<<grid, block>>>(filter.View<tamis::SplitBlock>(), ...);
//
// Compile with nvcc -std=c++20 --expt-relaxed-constexpr. Which bits a key has is decided by
// tamis/bits.h and the variants' headers alone. A view owns nothing and is copied freely; it is
// valid as long as the DeviceFilter is. Any number of threads may call any of these at once: an
// insert is an atomic OR a bit (register_blocked: one a key), so a key that another thread is just
// inserting may be seen as absent, never the reverse.
// For "was it new?" use DeviceFilter::InsertNew: looking first and inserting then, or looking at
// what an atomic returned, lets two equal keys both be new.
#ifndef TAMIS_CUDA_DEVICE_VIEW_CUH_
#define TAMIS_CUDA_DEVICE_VIEW_CUH_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "tamis/bits.h"
#include "tamis/hash.h"
#include "tamis/variants/cache_line.h"
#include "tamis/variants/register_blocked.h"
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

/// Whether keys have exactly one bit in each word of their block.
template <typename V>
inline constexpr bool kOneBitAWord = V::kMinK == V::kMaxK;

/// Calls f(position in the block) for a key's bits, until it returns false; returns whether it
/// never did. The loop is written out, as far as k can go, since the device would keep a table of
/// salts that is indexed by a variable in local memory.
template <typename V, typename F, int... kI>
TAMIS_HOST_DEVICE bool EachBit(uint32_t low, int k, F&& f,
                               std::integer_sequence<int, kI...> /*all*/) {
  return (((kI >= V::kMinK && kI >= k) || f(V::Position(low, kI))) && ...);
}
template <typename V, typename F>
TAMIS_HOST_DEVICE bool EachBit(uint32_t low, int k, F&& f) {
  return EachBit<V>(low, k, f, std::make_integer_sequence<int, V::kMaxK>());
}

/// The bits that a key has in one word of its block.
template <typename V>
TAMIS_HOST_DEVICE typename V::Word BitsInWord(uint32_t low, int k, uint32_t word) {
  using Word = typename V::Word;
  constexpr uint32_t kWordBits = 8 * sizeof(Word);
  Word bits = 0;
  EachBit<V>(low, k, [&](uint32_t at) {
    bits |= at / kWordBits == word ? Word{1} << at % kWordBits : Word{0};
    return true;
  });
  return bits;
}

/// Whether all of a key's bits are set in its block. Of blocks of one word or one bit a word,
/// without a branch.
template <typename V>
TAMIS_HOST_DEVICE bool TestBlock(const typename V::Word* block, uint32_t low, int k) {
  constexpr uint32_t kWordBits = 8 * sizeof(typename V::Word);
  if constexpr (kOneBitAWord<V>) {
    return V::Test(block, low, k);
  } else if constexpr (V::kWords == 1) {
    return (BitsInWord<V>(low, k, 0) & ~block[0]) == 0;
  } else {
    return EachBit<V>(
        low, k, [&](uint32_t at) { return ((block[at / kWordBits] >> at % kWordBits) & 1) != 0; });
  }
}

/// Sets a key's bits in a block that nobody else is using; returns whether one was clear.
template <typename V>
TAMIS_HOST_DEVICE bool MarkBlock(typename V::Word* block, uint32_t low, int k) {
  using Word = typename V::Word;
  constexpr uint32_t kWordBits = 8 * sizeof(Word);
  if constexpr (kOneBitAWord<V>) {
    return V::Mark(block, low, k);
  } else if constexpr (V::kWords == 1) {
    const Word missing = BitsInWord<V>(low, k, 0) & ~block[0];
    block[0] |= missing;
    return missing != 0;
  } else {
    bool missing = false;
    EachBit<V>(low, k, [&](uint32_t at) {
      const Word mask = Word{1} << at % kWordBits;
      if ((block[at / kWordBits] & mask) == 0) {
        block[at / kWordBits] |= mask;
        missing = true;
      }
      return true;
    });
    return missing;
  }
}

/// V is SplitBlock, SplitBlock512, CacheLine or RegisterBlocked.
template <typename V>
struct DeviceView {
  using Word = typename V::Word;
  static constexpr size_t kBlockBytes = V::kWords * sizeof(Word);

  /// A block as the memory holds it: copied as one, the compiler loads it in the widest pieces that
  /// the device has (two of 128 bits for 32 bytes, or one of 256).
  struct alignas(kBlockBytes < 32 ? kBlockBytes : 32) Block {
    Word words[V::kWords];
  };
  /// Whether a copy can be worked on in registers: positions tell the word at compile time.
  static constexpr bool kInRegisters = kOneBitAWord<V> || V::kWords == 1;

  Block* blocks;       ///< device memory
  uint32_t count;      ///< of blocks
  uint64_t seed;       ///< of the hash of keys
  int k = V::kUsualK;  ///< bits a key

  /// Whether the key with this hash is present.
  TAMIS_HOST_DEVICE bool Contains(uint64_t hash) const {
    const Place at = Locate(hash, count);
    if constexpr (kInRegisters) {
      const Block block = blocks[at.block];
      return TestBlock<V>(block.words, at.low, k);
    } else {
      return TestBlock<V>(blocks[at.block].words, at.low, k);
    }
  }
  /// The same for a 64-bit key of a filter by XXH64.
  TAMIS_HOST_DEVICE bool ContainsKey(uint64_t key) const { return Contains(Xxh64(key, seed)); }

  /// Puts in the key with this hash. The host cannot count such keys: DeviceFilter::AddInserted.
  TAMIS_HOST_DEVICE void Insert(uint64_t hash) const {
    constexpr uint32_t kWordBits = 8 * sizeof(Word);
    const Place at = Locate(hash, count);
    Word* words = blocks[at.block].words;
    if constexpr (V::kWords == 1) {
      const Word missing = BitsInWord<V>(at.low, k, 0) & ~AtomicLoad(words);
      if (missing != 0) AtomicOr(words, missing);
    } else {
      EachBit<V>(at.low, k, [&](uint32_t bit) {
        const auto mask = static_cast<Word>(Word{1} << bit % kWordBits);
        Word* word = words + bit / kWordBits;
        if ((AtomicLoad(word) & mask) == 0) AtomicOr(word, mask);
        return true;
      });
    }
  }
  TAMIS_HOST_DEVICE void InsertKey(uint64_t key) const { Insert(Xxh64(key, seed)); }
};

}  // namespace tamis

#endif  // TAMIS_CUDA_DEVICE_VIEW_CUH_
