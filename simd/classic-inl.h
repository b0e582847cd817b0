// Classic filters: k bits a key, anywhere. A batch goes through in tiles of 64 keys, each on its
// way through a few stages, one stage a turn, so that the lines which one tile asked for arrive
// while others are worked on.
//
//   Contains  turn t:  hash tile t, its first positions, ask for their lines
//                      tile t-1: test those; of keys still in the running ask for the next lines
//                      tile t-2: the same; tile t-3: test the last ones, answer
//   updates   turn t:  hash tile t, all positions, ask for their lines
//                      tile t-1: update, key by key, so that earlier keys come first
//
// A foreign key meets a clear bit after two tests on average, so the first rounds are short: three
// lines are fetched for it in place of k. Positions past the first rounds are worked out only for
// tiles, or keys, that come so far. In small filters nothing is asked for ahead, and a tile takes
// all its stages in one turn.

#if defined(TAMIS_SIMD_CLASSIC_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TAMIS_SIMD_CLASSIC_INL_H_
#undef TAMIS_SIMD_CLASSIC_INL_H_
#else
#define TAMIS_SIMD_CLASSIC_INL_H_
#endif

#include <bit>

#include "hwy/highway.h"
#include "simd/schemes-inl.h"
#include "simd/steps-inl.h"
#include "simd/tables.h"
#include "tamis/answers.h"
#include "tamis/backend.h"

HWY_BEFORE_NAMESPACE();
namespace tamis::simd::HWY_NAMESPACE {

constexpr size_t kTile = 64;
// Keys of a step within a tile, and steps between asking for lines and looking at them.
constexpr size_t kStep = 16;
constexpr uint64_t kLag = 2;
constexpr uint64_t kStepsInTile = kTile / kStep;

// Positions `first` to `last` - 1 of the keys of a tile, from their hashes: position i of key j
// goes to positions[i * kTile + j]. PlaceKey does it for one key.
using PlaceTileKernel = void (*)(const uint64_t* hashes, const BitRange& range, int first, int last,
                                 uint64_t* positions);
using PlaceKeyKernel = PlaceTileKernel;

template <int kWords>
HWY_INLINE void LoadWords(const uint64_t* from, Lanes* hash) {
  const U64 d;
  if constexpr (kWords == 1) {
    hash[0] = hn::LoadU(d, from);
  } else if constexpr (kWords == 2) {
    hn::LoadInterleaved2(d, from, hash[0].v, hash[1].v);
  } else {
    hn::LoadInterleaved4(d, from, hash[0].v, hash[1].v, hash[2].v, hash[3].v);
  }
}

template <class P>
void PlaceTile(const uint64_t* hashes, const BitRange& range, int first, int last,
               uint64_t* positions) {
  const U64 d;
  for (size_t j = 0; j < kTile; j += hn::Lanes(d)) {
    Lanes hash[P::kWords];
    LoadWords<P::kWords>(hashes + j * P::kWords, hash);
    typename P::template Walk<Lanes> walk(hash, range);
    for (int i = 0; i < first; ++i) walk.Next();
    for (int i = first; i < last; ++i) {
      hn::StoreU(walk.Next().v, d, positions + static_cast<size_t>(i) * kTile + j);
    }
  }
}

template <class P>
void PlaceKey(const uint64_t* hash, const BitRange& range, int first, int last,
              uint64_t* positions) {
  typename P::template Walk<uint64_t> walk(hash, range);
  for (int i = 0; i < first; ++i) walk.Next();
  for (int i = first; i < last; ++i) positions[static_cast<size_t>(i) * kTile] = walk.Next();
}

// What both loops have: the batch by tiles, each with its hashes and positions in a ring.
class ClassicTiles {
 public:
  explicit ClassicTiles(const Batch& batch)
      : batch_(batch),
        words_(reinterpret_cast<uint64_t*>(batch.bits)),
        hash_words_(static_cast<size_t>(batch.spec.hash_words())),
        range_(batch.spec.m),
        hash_(HashFor(HWY_TARGET)) {
    ProbeSchemes::Visit(static_cast<uint32_t>(batch.spec.probe), [&]<class P>(P) {
      place_tile_ = PlaceTile<P>;
      place_key_ = PlaceKey<P>;
    });
  }

 protected:
  static constexpr size_t kRing = 4;
  static_assert(3 * kLag <= (kRing - 1) * kStepsInTile);

  uint64_t steps() const { return (batch_.keys.size() + kStep - 1) / kStep; }
  // The keys of a step, as bits of its tile.
  static uint64_t KeysOfStep(uint64_t step) {
    constexpr uint64_t kOnes = ~uint64_t{0} >> (64 - kStep);
    return kOnes << (step % kStepsInTile * kStep);
  }

  uint64_t tiles() const { return (batch_.keys.size() + kTile - 1) / kTile; }
  size_t SizeOf(uint64_t tile) const {
    return static_cast<size_t>(HWY_MIN(kTile, batch_.keys.size() - tile * kTile));
  }
  // A bit for each key.
  uint64_t KeysOf(uint64_t tile) const { return ~uint64_t{0} >> (kTile - SizeOf(tile)); }

  uint64_t* HashesOf(uint64_t tile) { return hashes_ + tile % kRing * kTile * kMaxHashWords; }
  uint64_t* PositionsOf(uint64_t tile) {
    return positions_ + tile % kRing * kTile * Classic::kMaxK;
  }

  // Hashes a tile and works out its positions up to `last`.
  void Start(uint64_t tile, int last) {
    const size_t size = SizeOf(tile);
    uint64_t* const hashes = HashesOf(tile);
    hash_(batch_.spec, batch_.keys.Slice(tile * kTile, size), hashes);
    std::fill(hashes + size * hash_words_, hashes + kTile * hash_words_, 0);
    place_tile_(hashes, range_, 0, last, PositionsOf(tile));
  }

  HWY_INLINE void Prefetch(uint64_t position) const { PrefetchFar(words_ + position / 64); }

  const Batch batch_;
  uint64_t* const words_;
  const size_t hash_words_;
  const BitRange range_;
  const HashKernel hash_;
  PlaceTileKernel place_tile_ = nullptr;
  PlaceKeyKernel place_key_ = nullptr;
  HWY_ALIGN uint64_t hashes_[kRing * kTile * kMaxHashWords];
  HWY_ALIGN uint64_t positions_[kRing * kTile * Classic::kMaxK];
};

// Calls f(j) for the index of every one in `bits`.
template <typename F>
HWY_INLINE void ForOnes(uint64_t bits, F&& f) {
  for (; bits != 0; bits &= bits - 1) f(static_cast<size_t>(std::countr_zero(bits)));
}

class ClassicContains : ClassicTiles {
 public:
  ClassicContains(const Batch& batch, uint8_t* answers)
      : ClassicTiles(batch),
        answers_(answers),
        ends_{HWY_MIN(2, batch.spec.k), HWY_MIN(4, batch.spec.k), batch.spec.k} {}

  uint64_t Run() {
    const uint64_t count = steps();
    const uint64_t lag = batch_.in_memory() ? kLag : 0;
    for (uint64_t g = 0; g < count + 3 * lag; ++g) {
      if (g < count) Begin(g);
      if (g - lag < count) Round(g - lag, 0);
      if (g - 2 * lag < count) Round(g - 2 * lag, 1);
      if (g - 3 * lag < count) {
        Round(g - 3 * lag, 2);
        const uint64_t done = g - 3 * lag + 1;
        if (done % kStepsInTile == 0 || done == count) Answer((done - 1) / kStepsInTile);
      }
    }
    return count_;
  }

 private:
  static constexpr int kRounds = 3;

  void Begin(uint64_t step) {
    const uint64_t tile = step / kStepsInTile;
    if (step % kStepsInTile == 0) {
      Start(tile, ends_[1]);
      alive_[tile % kRing] = KeysOf(tile);
    }
    if (batch_.in_memory()) Ask(tile, alive_[tile % kRing] & KeysOfStep(step), 0, ends_[0]);
  }

  // Tests the bits of a round, and prepares the next one.
  void Round(uint64_t step, int round) {
    const uint64_t tile = step / kStepsInTile;
    const uint64_t keys = KeysOfStep(step);
    uint64_t& alive = alive_[tile % kRing];
    const int first = round == 0 ? 0 : ends_[round - 1];
    const uint64_t left = Test(tile, alive & keys, keys, first, ends_[round]);
    alive = (alive & ~keys) | left;
    if (round + 1 == kRounds || ends_[round] == ends_[round + 1] || left == 0) return;
    if (round + 1 == 2) PlaceRest(tile, left);
    if (batch_.in_memory()) Ask(tile, left, ends_[round], ends_[round + 1]);
  }

  void PlaceRest(uint64_t tile, uint64_t alive) {
    constexpr int kFew = 12;
    if (std::popcount(alive) > kFew) {
      place_tile_(HashesOf(tile), range_, ends_[1], ends_[2], PositionsOf(tile));
      return;
    }
    ForOnes(alive, [&](size_t j) {
      place_key_(HashesOf(tile) + j * hash_words_, range_, ends_[1], ends_[2],
                 PositionsOf(tile) + j);
    });
  }

  // Inlined for the same reason as PrefetchFar.
  HWY_INLINE void Ask(uint64_t tile, uint64_t keys, int first, int last) {
    const uint64_t* const positions = PositionsOf(tile);
    for (; keys != 0; keys &= keys - 1) {
      const auto j = static_cast<size_t>(std::countr_zero(keys));
      for (int i = first; i < last; ++i) Prefetch(positions[static_cast<size_t>(i) * kTile + j]);
    }
  }

  // Those of the keys `alive` whose bits `first` to `last` - 1 are all set.
  uint64_t Test(uint64_t tile, uint64_t alive, uint64_t all, int first, int last) {
    const uint64_t* const positions = PositionsOf(tile);
    const uint64_t* const words = words_;
    uint64_t left = 0;
    if (alive == all && last - first == 2) {
      const uint64_t* const p0 = positions + static_cast<size_t>(first) * kTile;
      const uint64_t* const p1 = p0 + kTile;
      const auto begin = static_cast<size_t>(std::countr_zero(all));
      for (size_t j = begin; j < begin + kStep; ++j) {
        const uint64_t set = words[p0[j] / 64] >> (p0[j] % 64) & words[p1[j] / 64] >> (p1[j] % 64);
        left |= (set & 1) << j;
      }
    } else {
      ForOnes(alive, [&](size_t j) {
        uint64_t set = 1;
        for (int i = first; i < last; ++i) {
          const uint64_t at = positions[static_cast<size_t>(i) * kTile + j];
          set &= words[at / 64] >> (at % 64);
        }
        left |= set << j;
      });
    }
    return left;
  }

  void Answer(uint64_t tile) {
    const uint64_t alive = alive_[tile % kRing];
    count_ += static_cast<uint64_t>(std::popcount(alive));
    if (answers_ != nullptr) PutAnswers(answers_ + tile * kTile / 8, alive, SizeOf(tile));
  }

  uint8_t* const answers_;
  const int ends_[kRounds];  // of rounds, in positions
  uint64_t alive_[kRing];    // keys of which no bit was found clear yet
  uint64_t count_ = 0;
};

// Insert and InsertNew, of all bits or of those in the lines that an owner has.
template <bool kOwned>
class ClassicUpdate : ClassicTiles {
 public:
  ClassicUpdate(const Batch& batch, BlockRange owned, uint8_t* answers)
      : ClassicTiles(batch),
        first_(owned.first),
        lines_(owned.end - owned.first),
        answers_(answers) {}

  uint64_t Run() {
    const uint64_t count = steps();
    const uint64_t lag = batch_.in_memory() ? kLag : 0;
    for (uint64_t g = 0; g < count + lag; ++g) {
      if (g < count) Begin(g);
      if (g - lag < count) Update(g - lag);
    }
    return count_;
  }

 private:
  HWY_INLINE bool Owns(uint64_t position) const {
    return !kOwned || position / kLineBits - first_ < lines_;
  }

  // The keys of a step: the first and one past the last, in their tile.
  size_t FirstOf(uint64_t step) const { return step % kStepsInTile * kStep; }
  size_t EndOf(uint64_t step) const {
    return HWY_MIN(FirstOf(step) + kStep, SizeOf(step / kStepsInTile));
  }

  void Begin(uint64_t step) {
    const uint64_t tile = step / kStepsInTile;
    if (step % kStepsInTile == 0) Start(tile, batch_.spec.k);
    if (!batch_.in_memory()) return;
    const uint64_t* const positions = PositionsOf(tile);
    const size_t end = EndOf(step);
    for (size_t j = FirstOf(step); j < end; ++j) {
      for (size_t i = 0; i < k_; ++i) {
        if (Owns(positions[i * kTile + j])) Prefetch(positions[i * kTile + j]);
      }
    }
  }

  void Update(uint64_t step) {
    const uint64_t tile = step / kStepsInTile;
    const uint64_t* const positions = PositionsOf(tile);
    const size_t end = EndOf(step);
    uint64_t* const words = words_;
    for (size_t j = FirstOf(step); j < end; ++j) {
      uint64_t missing = 0;
      for (size_t i = 0; i < k_; ++i) {
        const uint64_t at = positions[i * kTile + j];
        if (!Owns(at)) continue;
        const uint64_t mask = uint64_t{1} << (at % 64);
        const uint64_t word = words[at / 64];
        missing |= mask & ~word;
        words[at / 64] = word | mask;
      }
      fresh_ |= uint64_t{missing != 0} << j;
    }
    if (end < SizeOf(tile)) return;
    count_ += static_cast<uint64_t>(std::popcount(fresh_));
    if (answers_ != nullptr) PutAnswers(answers_ + tile * kTile / 8, fresh_, SizeOf(tile));
    fresh_ = 0;
  }

  const size_t k_ = static_cast<size_t>(batch_.spec.k);
  const uint64_t first_;  // line
  const uint64_t lines_;
  uint8_t* const answers_;
  uint64_t fresh_ = 0;  // of the tile at hand
  uint64_t count_ = 0;
};

inline uint64_t ClassicInsertNew(const Batch& batch, BlockRange owned, uint8_t* answers) {
  if (owned == BlockRange::All(batch.spec)) {
    return ClassicUpdate<false>(batch, owned, answers).Run();
  }
  return ClassicUpdate<true>(batch, owned, answers).Run();
}

inline void ClassicInsert(const Batch& batch, BlockRange owned) {
  ClassicInsertNew(batch, owned, nullptr);
}

inline uint64_t RunClassicContains(const Batch& batch, uint8_t* answers) {
  return ClassicContains(batch, answers).Run();
}

}  // namespace tamis::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TAMIS_SIMD_CLASSIC_INL_H_
