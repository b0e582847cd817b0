// Insert: a lane a word of the key's block, so eight lanes a key, or one where blocks are words.
//
//   each lane hashes one key; then, eight times, the warp takes four of them:
//     lanes 0-7: words 0-7 of key 4s | lanes 8-15: of key 4s + 1 | 16-23: 4s + 2 | 24-31: 4s + 3
//   so that the eight ORs of a key fall into one 32-byte sector (two for 64-byte blocks) and reach
//   the second-level cache as one request. Nobody waits for what the ORs find.
//
// If the filter is larger than that cache, the words are read first and only missing bits are ORed:
// a sector that is read and not changed need not be written back to memory.
//
// A classic filter's bits are nobody's neighbours: a lane a key, one after the other.
#ifndef TAMIS_CUDA_INSERT_CUH_
#define TAMIS_CUDA_INSERT_CUH_

#include <cstdint>
#include <type_traits>
#include <utility>

#include "cuda/classic.cuh"
#include "cuda/lanes.cuh"
#include "tamis/cuda/device_keys.h"
#include "tamis/cuda/device_view.cuh"

namespace tamis::gpu {

inline constexpr uint64_t kInsertTile = kWarp;

/// Salt(word) for a word that the compiler does not know: chosen among constants, not looked up in
/// a table, which would lie in local memory.
template <int... kWords>
TAMIS_DEVICE uint32_t ChosenSalt(int word, std::integer_sequence<int, kWords...> /*all*/) {
  uint32_t salt = 0;
  ((salt = word == kWords ? std::integral_constant<uint32_t, Salt(kWords)>::value : salt), ...);
  return salt;
}

/// The bits that a key has in the lane's word of its block.
template <typename V>
TAMIS_DEVICE typename V::Word LaneMask(uint32_t low, int k, int word, uint32_t salt) {
  using Word = typename V::Word;
  if constexpr (kOneBitAWord<V>) {
    return Word{1} << BitBySalt<Word>(low, salt);
  } else {
    return BitsInWord<V>(low, k, static_cast<uint32_t>(word));
  }
}

/// Puts in keys `first` to first + 31 of n.
template <bool kLookFirst, typename V, typename Warp>
TAMIS_DEVICE void InsertTile(const Warp& warp, const DeviceView<V>& filter, const WordKeys& keys,
                             uint64_t first, uint64_t n) {
  using Word = typename V::Word;
  constexpr int kSteps = V::kWords;
  constexpr int kAtOnce = kWarp / kSteps;
  const int lane = warp.lane();
  const uint64_t i = first + static_cast<uint64_t>(lane);
  const Place own = Locate(keys.HashAt(i < n ? i : n - 1), filter.count);
  const int word = lane % kSteps;
  const uint32_t salt = ChosenSalt(word, std::make_integer_sequence<int, kBlockWords>());
  Word* words[kSteps];
  Word missing[kSteps];
  for (int step = 0; step < kSteps; ++step) {
    const int from = step * kAtOnce + lane / kSteps;
    const uint32_t block = warp.Shuffle(own.block, from);
    const uint32_t low = warp.Shuffle(own.low, from);
    words[step] = filter.blocks[block].words + word;
    const Word mask = LaneMask<V>(low, filter.k, word, salt);
    missing[step] = first + static_cast<uint64_t>(from) < n ? mask : 0;
    if (kLookFirst) missing[step] &= ~AtomicLoad(words[step]);
  }
  for (int step = 0; step < kSteps; ++step) {
    if (missing[step] != 0) AtomicOr(words[step], missing[step]);
  }
}
template <bool kLookFirst, typename Warp>
TAMIS_DEVICE void InsertTile(const Warp& warp, const ClassicView& filter, const WordKeys& keys,
                             uint64_t first, uint64_t n) {
  const uint64_t i = first + static_cast<uint64_t>(warp.lane());
  if (i < n) filter.Insert(keys.WordsAt(i), kLookFirst);
}

}  // namespace tamis::gpu

#endif  // TAMIS_CUDA_INSERT_CUH_
