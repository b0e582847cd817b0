// Blocks with k bits of a key anywhere in them: cache lines and single words. A batch goes through
// in tiles of 64 keys: in each turn one is hashed and located, and then, some keys of each at a
// time, its blocks are asked for and those of the tile before are probed or updated.
//
//   register_blocked   masks are made in lanes, one a key; a key is then one load and one test
//   cache_line         positions are lanes of one register; the words that they fall in come by a
//                      permutation of the block (registers of 512 bits) or a gather

#if defined(TAMIS_SIMD_OPEN_BLOCK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TAMIS_SIMD_OPEN_BLOCK_INL_H_
#undef TAMIS_SIMD_OPEN_BLOCK_INL_H_
#else
#define TAMIS_SIMD_OPEN_BLOCK_INL_H_
#endif

#include <bit>

#include "hwy/highway.h"
#include "simd/places-inl.h"
#include "simd/steps-inl.h"
#include "simd/tables.h"
#include "tamis/answers.h"
#include "tamis/backend.h"

HWY_BEFORE_NAMESPACE();
namespace tamis::simd::HWY_NAMESPACE {

constexpr size_t kOpenTile = 64;
constexpr size_t kOpenStep = 16;  // keys between looking at some blocks and asking for others
constexpr size_t kMaxOpenK = 16;

HWY_ALIGN constexpr uint32_t kBlockSalts[kMaxOpenK] = {
    BlockSalt(0),  BlockSalt(1),  BlockSalt(2),  BlockSalt(3), BlockSalt(4),  BlockSalt(5),
    BlockSalt(6),  BlockSalt(7),  BlockSalt(8),  BlockSalt(9), BlockSalt(10), BlockSalt(11),
    BlockSalt(12), BlockSalt(13), BlockSalt(14), BlockSalt(15)};

// What a tile's keys need beside their blocks: register_blocked's masks.
class WordMasks {
 public:
  using V = RegisterBlocked;

  void Prepare(const uint32_t* low, int k) {
    const U64 d;
    const hn::Rebind<uint32_t, U64> d32;
    for (size_t j = 0; j < kOpenTile; j += hn::Lanes(d)) {
      const auto lows = hn::LoadU(d32, low + j);
      V64 mask = hn::Zero(d);
      for (int i = 0; i < k; ++i) {
        const auto at = hn::ShiftRight<26>(hn::Mul(lows, hn::Set(d32, kBlockSalts[i])));
        mask = hn::Or(mask, hn::Shl(hn::Set(d, 1), hn::PromoteTo(d, at)));
      }
      hn::StoreU(mask, d, masks_ + j);
    }
  }

  HWY_INLINE bool Test(const uint64_t* block, size_t j, int /*k*/) const {
    return (masks_[j] & ~*block) == 0;
  }
  HWY_INLINE bool Mark(uint64_t* block, size_t j, int /*k*/) const {
    const uint64_t word = *block;
    *block = word | masks_[j];
    return (masks_[j] & ~word) != 0;
  }

 private:
  HWY_ALIGN uint64_t masks_[kOpenTile];
};

// The same for cache_line: positions.
class LinePositions {
 public:
  using V = CacheLine;

  void Prepare(const uint32_t* low, int /*k*/) {
    const D d;
    for (size_t j = 0; j < kOpenTile; ++j) {
      for (size_t i = 0; i < kMaxOpenK; i += hn::Lanes(d)) {
        hn::StoreU(PositionsOf(low[j], i), d, positions_ + j * kMaxOpenK + i);
      }
    }
  }

  HWY_INLINE bool Test(const uint64_t* block, size_t j, int k) const {
    const D d;
    const hn::RebindToSigned<D> di;
    const auto* words = reinterpret_cast<const uint32_t*>(block);
    const auto count = static_cast<size_t>(k);
    for (size_t i = 0; i < count; i += hn::Lanes(d)) {
      const auto at = hn::LoadU(d, positions_ + j * kMaxOpenK + i);
      const auto bit = hn::Shl(hn::Set(d, 1), hn::And(at, hn::Set(d, 31)));
      const auto word = hn::BitCast(di, hn::ShiftRight<5>(at));
      auto held = hn::Zero(d);
      if constexpr (hn::MaxLanes(d) == kMaxOpenK) {
        held = hn::TableLookupLanes(hn::LoadU(d, words), hn::IndicesFromVec(d, word));
      } else {
        held = hn::GatherIndex(d, words, word);
      }
      const auto clear = hn::Eq(hn::And(held, bit), hn::Zero(d));
      if (!hn::AllFalse(d, hn::And(clear, hn::FirstN(d, count - i)))) return false;
    }
    return true;
  }

  HWY_INLINE bool Mark(uint64_t* block, size_t j, int k) const {
    uint64_t missing = 0;
    const uint32_t* const positions = positions_ + j * kMaxOpenK;
    for (int i = 0; i < k; ++i) {
      const uint32_t at = positions[i];
      const uint64_t mask = uint64_t{1} << (at % 64);
      const uint64_t word = block[at / 64];
      missing |= mask & ~word;
      block[at / 64] = word | mask;
    }
    return missing != 0;
  }

 private:
  using D = hn::CappedTag<uint32_t, kMaxOpenK>;

  static HWY_INLINE hn::Vec<D> PositionsOf(uint32_t low, size_t i) {
    const D d;
    return hn::ShiftRight<23>(hn::Mul(hn::Set(d, low), hn::LoadU(d, kBlockSalts + i)));
  }

  HWY_ALIGN uint32_t positions_[kOpenTile * kMaxOpenK];
};

// One verb on a batch; updates only blocks that are owned.
template <class Bits, Verb kVerb>
class OpenBlockLoop {
 public:
  OpenBlockLoop(const Batch& batch, BlockRange owned, uint8_t* answers)
      : batch_(batch),
        all_(owned == BlockRange::All(batch.spec)),
        first_(static_cast<uint32_t>(owned.first)),
        owned_(static_cast<uint32_t>(owned.end - owned.first)),
        hash_(HashFor(HWY_TARGET)),
        answers_(answers) {}

  uint64_t Run() {
    const uint64_t tiles = (batch_.keys.size() + kOpenTile - 1) / kOpenTile;
    for (uint64_t t = 0; t < tiles + 1; ++t) {
      if (t < tiles) Begin(t);
      for (size_t step = 0; step < kOpenTile; step += kOpenStep) {
        if (batch_.in_memory() && t < tiles) Ask(t, step);
        if (t > 0) Step(t - 1, step);
      }
      if (t > 0) Answer(t - 1);
    }
    return count_;
  }

 private:
  using Word = typename Bits::V::Word;
  static constexpr size_t kWords = Bits::V::kWords;

  struct Tile {
    HWY_ALIGN uint32_t block[kOpenTile];
    HWY_ALIGN uint32_t low[kOpenTile];
    uint64_t owned;  // a bit a key
    Bits bits;
  };

  size_t SizeOf(uint64_t tile) const {
    return static_cast<size_t>(HWY_MIN(kOpenTile, batch_.keys.size() - tile * kOpenTile));
  }
  Word* BlockAt(uint32_t block) const {
    return reinterpret_cast<Word*>(batch_.bits) + uint64_t{block} * kWords;
  }

  void Begin(uint64_t number) {
    Tile& tile = tiles_[number % 2];
    const size_t size = SizeOf(number);
    hash_(batch_.spec, batch_.keys.Slice(number * kOpenTile, size), hashes_);
    std::fill(hashes_ + size, hashes_ + kOpenTile, 0);
    const HashSource source{reinterpret_cast<const char*>(hashes_)};
    const auto blocks = static_cast<uint32_t>(batch_.spec.blocks);
    HWY_ALIGN Place places[kOpenTile];
    for (size_t j = 0; j < kOpenTile; j += kGroup) StorePlaces(source, j, blocks, places + j);
    const U32 d;
    for (size_t j = 0; j < kOpenTile; j += hn::Lanes(d)) {
      hn::Vec<U32> low;
      hn::Vec<U32> block;
      hn::LoadInterleaved2(d, reinterpret_cast<const uint32_t*>(places + j), low, block);
      hn::Store(low, d, tile.low + j);
      hn::Store(block, d, tile.block + j);
    }
    tile.bits.Prepare(tile.low, batch_.spec.k);
    tile.owned = ~uint64_t{0} >> (kOpenTile - size);
    if (!all_) {
      uint64_t owned = 0;
      for (size_t j = 0; j < kOpenTile; ++j) {
        owned |= uint64_t{tile.block[j] - first_ < owned_} << j;
      }
      tile.owned &= owned;
    }
  }

  // The owned keys of the kOpenStep from `step` on.
  static uint64_t KeysOf(const Tile& tile, size_t step) {
    constexpr uint64_t kOnes = ~uint64_t{0} >> (64 - kOpenStep);
    return tile.owned & (kOnes << step);
  }

  // Inlined for the same reason as PrefetchFar.
  HWY_INLINE void Ask(uint64_t number, size_t step) const {
    const Tile& tile = tiles_[number % 2];
    for (uint64_t left = KeysOf(tile, step); left != 0; left &= left - 1) {
      PrefetchFar(BlockAt(tile.block[static_cast<size_t>(std::countr_zero(left))]));
    }
  }

  HWY_INLINE void Step(uint64_t number, size_t step) {
    const Tile& tile = tiles_[number % 2];
    const int k = batch_.spec.k;
    uint64_t ones = 0;
    const auto take = [&](size_t j) HWY_ATTR {
      Word* const block = BlockAt(tile.block[j]);
      if constexpr (kVerb == Verb::kContains) {
        ones |= uint64_t{tile.bits.Test(block, j, k)} << j;
      } else {
        ones |= uint64_t{tile.bits.Mark(block, j, k)} << j;
      }
    };
    const uint64_t keys = KeysOf(tile, step);
    if (std::popcount(keys) == kOpenStep) {
      for (size_t j = step; j < step + kOpenStep; ++j) take(j);
    } else {
      for (uint64_t left = keys; left != 0; left &= left - 1) {
        take(static_cast<size_t>(std::countr_zero(left)));
      }
    }
    ones_ |= ones;
  }

  void Answer(uint64_t number) {
    count_ += static_cast<uint64_t>(std::popcount(ones_));
    if (answers_ != nullptr) PutAnswers(answers_ + number * kOpenTile / 8, ones_, SizeOf(number));
    ones_ = 0;
  }

  const Batch batch_;
  const bool all_;
  const uint32_t first_;
  const uint32_t owned_;
  const HashKernel hash_;
  uint8_t* const answers_;
  uint64_t ones_ = 0;  // of the tile at hand
  uint64_t count_ = 0;
  HWY_ALIGN uint64_t hashes_[kOpenTile];
  HWY_ALIGN Tile tiles_[2];
};

template <class Bits>
void OpenInsert(const Batch& batch, BlockRange owned) {
  OpenBlockLoop<Bits, Verb::kInsert>(batch, owned, nullptr).Run();
}
template <class Bits>
uint64_t OpenInsertNew(const Batch& batch, BlockRange owned, uint8_t* answers) {
  return OpenBlockLoop<Bits, Verb::kInsertNew>(batch, owned, answers).Run();
}
template <class Bits>
uint64_t OpenContains(const Batch& batch, uint8_t* answers) {
  return OpenBlockLoop<Bits, Verb::kContains>(batch, BlockRange::All(batch.spec), answers).Run();
}

template <class Bits>
VariantKernels OpenKernelsOf() {
  return {.insert = OpenInsert<Bits>,
          .insert_new = OpenInsertNew<Bits>,
          .contains = OpenContains<Bits>};
}

}  // namespace tamis::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TAMIS_SIMD_OPEN_BLOCK_INL_H_
