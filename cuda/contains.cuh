// Contains: a lane a key. Blocks that fit into registers go by several keys a lane:
//
//   a tile, 4 keys a lane     lane 0   lane 1   ...  lane 31
//     keys   0 ..  31           h        h             h       hash, locate: no memory
//     keys  32 ..  63           h        h             h
//     keys  64 .. 127           ...                            then all blocks are loaded, so that
//                                                              4 loads a lane are under way at
//                                                              once, then tested: one ballot a row
//                                                              is one word of answers
//
// Other filters' bits are looked at one by one, up to the first that is clear.
#ifndef TAMIS_CUDA_CONTAINS_CUH_
#define TAMIS_CUDA_CONTAINS_CUH_

#include <cstdint>

#include "cuda/classic.cuh"
#include "cuda/lanes.cuh"
#include "tamis/cuda/device_keys.h"
#include "tamis/cuda/device_view.cuh"

namespace tamis::gpu {

/// Keys that a lane has under way: of blocks in registers 128 bytes, but not more than 8.
template <typename View>
inline constexpr int kKeysPerLane = 1;
template <typename V>
inline constexpr int kKeysPerLane<DeviceView<V>> =
    !DeviceView<V>::kInRegisters            ? 1
    : DeviceView<V>::kBlockBytes * 8 <= 128 ? 8
                                            : 128 / DeviceView<V>::kBlockBytes;

template <typename View>
inline constexpr uint64_t kContainsTile = uint64_t{kWarp} * kKeysPerLane<View>;

template <typename V, typename Warp>
TAMIS_DEVICE uint32_t ContainsBlocks(const Warp& warp, const DeviceView<V>& filter,
                                     const WordKeys& keys, uint64_t first, uint64_t n,
                                     uint32_t* answers) {
  constexpr int kKeys = kKeysPerLane<DeviceView<V>>;
  const int lane = warp.lane();
  uint32_t low[kKeys];
  typename DeviceView<V>::Block blocks[kKeys];
  for (int j = 0; j < kKeys; ++j) {
    const uint64_t i = first + static_cast<uint64_t>(kWarp * j + lane);
    const Place at = Locate(keys.HashAt(i < n ? i : n - 1), filter.count);
    low[j] = at.low;
    blocks[j] = filter.blocks[at.block];
  }
  uint32_t mine = 0;
  uint32_t present = 0;
  for (int j = 0; j < kKeys; ++j) {
    const bool there = first + static_cast<uint64_t>(kWarp * j + lane) < n;
    const uint32_t word = warp.Ballot(there && TestBlock<V>(blocks[j].words, low[j], filter.k));
    present += CountBits(word);
    if (lane == j) mine = word;
  }
  if (answers != nullptr && lane < kKeys && first + static_cast<uint64_t>(kWarp * lane) < n) {
    PutAnswerWord(answers, first / kWarp + static_cast<uint64_t>(lane), mine, n);
  }
  return present;
}

/// Answers keys `first` (a multiple of 32) to first + kContainsTile - 1 of n into `answers`, if not
/// null. Returns, in every lane, how many are present.
template <typename V, typename Warp>
TAMIS_DEVICE uint32_t ContainsTile(const Warp& warp, const DeviceView<V>& filter,
                                   const WordKeys& keys, uint64_t first, uint64_t n,
                                   uint32_t* answers) {
  if constexpr (DeviceView<V>::kInRegisters) {
    return ContainsBlocks(warp, filter, keys, first, n, answers);
  } else {
    return AnswerTile(warp, first, n, answers,
                      [&](uint64_t i) { return filter.Contains(keys.HashAt(i)); });
  }
}
template <typename Warp>
TAMIS_DEVICE uint32_t ContainsTile(const Warp& warp, const ClassicView& filter,
                                   const WordKeys& keys, uint64_t first, uint64_t n,
                                   uint32_t* answers) {
  return AnswerTile(warp, first, n, answers,
                    [&](uint64_t i) { return filter.Contains(keys.WordsAt(i)); });
}

}  // namespace tamis::gpu

#endif  // TAMIS_CUDA_CONTAINS_CUH_
