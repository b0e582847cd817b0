// keys -> hash -> locate, many at a time. A source gives the hashes of keys from an index on, a few
// vectors at a time; LocateAll() turns them into places, one Place (tamis/bits.h) a lane, which the
// loops store and read back a good while later.

#if defined(TAMIS_SIMD_PLACES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TAMIS_SIMD_PLACES_INL_H_
#undef TAMIS_SIMD_PLACES_INL_H_
#else
#define TAMIS_SIMD_PLACES_INL_H_
#endif

#include <algorithm>
#include <cstring>
#include <utility>

#include "hwy/highway.h"
#include "simd/string_hash.h"
#include "simd/xxh64-inl.h"
#include "tamis/backend.h"

HWY_BEFORE_NAMESPACE();
namespace tamis::simd::HWY_NAMESPACE {

// Keys that the loops take together: few, so that prefetches come evenly and no slot for memory
// under way stands empty while hashes are made.
constexpr size_t kGroup = HWY_MAX(2 * hn::MaxLanes(U64()), size_t{8});
// Vectors of them that are hashed side by side, where a hash is many instructions.
constexpr size_t kAbreast = kHasMul64 ? 1 : HWY_MIN(kGroup / hn::MaxLanes(U64()), size_t{4});
using Vectors = Several<kAbreast>;
constexpr size_t kAbreastKeys = kAbreast * hn::MaxLanes(U64());
static_assert(kGroup % kAbreastKeys == 0);
// Keys hashed in one go where they do not hash in lanes.
constexpr size_t kStage = 1024;

// Sources. Where kUnfolded, the last step of XXH64, hash ^= hash >> 32, is left to who takes the
// hash: locating needs the same shift.

// Ready hashes, from memory of any alignment.
struct HashSource {
  static constexpr bool kUnfolded = false;
  const char* items;  // 8 bytes a key

  HWY_INLINE Vectors At(size_t i) const { return At(i, std::make_index_sequence<kAbreast>()); }
  // A single key's, whole.
  HWY_INLINE uint64_t HashOf(size_t i) const {
    uint64_t hash = 0;
    std::memcpy(&hash, items + 8 * i, sizeof hash);
    return hash;
  }

 private:
  // All at once: the constructor that would make them empty first is not compiled for the target.
  template <size_t... kVector>
  HWY_INLINE Vectors At(size_t i, std::index_sequence<kVector...> /*all*/) const {
    const auto* hashes = reinterpret_cast<const uint64_t*>(items) + i;
    return {{hn::LoadU(U64(), hashes + kVector * hn::Lanes(U64()))...}};
  }
};

// 8-byte keys, from memory of any alignment.
struct Key8Source {
  static constexpr bool kUnfolded = true;
  const char* items;
  uint64_t seed;

  HWY_INLINE Vectors At(size_t i) const { return UnfoldedXxh64Of8(HashSource{items}.At(i), seed); }
  HWY_INLINE uint64_t HashOf(size_t i) const { return Xxh64(HashSource{items}.HashOf(i), seed); }
};

// Processors see less of a batch coming when its keys are read between probes at random places.
// `items`: those of a group of keys, 8 bytes each.
HWY_INLINE void PrefetchKeys(const char* items) {
  constexpr size_t kLine = 64;
  constexpr size_t kAhead = 4096;
  for (size_t at = 0; at < kGroup * 8; at += kLine) __builtin_prefetch(items + kAhead + at);
}

HWY_INLINE void Store(const Vectors& vectors, uint64_t* to) {
  for (size_t i = 0; i < kAbreast; ++i) {
    hn::StoreU(vectors.at[i], U64(), to + i * hn::Lanes(U64()));
  }
}

// Fixed-width keys into an array of hashes; the few at the end one by one.
inline void HashFixed(const Keys& keys, uint64_t seed, uint64_t* hashes) {
  const U64 d;
  const hn::RebindToSigned<U64> di;
  const size_t lanes = hn::Lanes(d);
  const uint32_t width = keys.width();
  size_t i = 0;
  if (width == 8) {
    const Key8Source source{keys.bytes(), seed};
    for (; i + kAbreastKeys <= keys.size(); i += kAbreastKeys) {
      Store(XorShifted<32>(source.At(i)), hashes + i);
    }
  } else if (width == 4) {
    const hn::Rebind<uint32_t, U64> d4;
    for (; i + lanes <= keys.size(); i += lanes) {
      const auto* at = reinterpret_cast<const uint32_t*>(keys.bytes() + 4 * i);
      hn::StoreU(Xxh64Of4(hn::PromoteTo(d, hn::LoadU(d4, at)), seed), d, hashes + i);
    }
  } else if (width >= 8 && width < (uint32_t{1} << 28)) {
    const auto offsets = hn::Iota(di, 0) * hn::Set(di, width);
    for (; i + lanes <= keys.size(); i += lanes) {
      const char* at = keys.bytes() + i * uint64_t{width};
      hn::StoreU(Xxh64OfWidth(at, offsets, width, seed), d, hashes + i);
    }
  }
  HashStrings(keys.Slice(i, keys.size() - i), seed, hashes + i);
}

// Hashes of all keys, whatever their kind.
inline void HashKeys(const Keys& keys, uint64_t seed, uint64_t* hashes) {
  if (keys.kind() == Keys::Kind::kHashes) {
    std::copy_n(keys.hashes(), keys.size(), hashes);
  } else if (keys.kind() == Keys::Kind::kFixed) {
    HashFixed(keys, seed, hashes);
  } else {
    HashStrings(keys, seed, hashes);
  }
}

// The places of the keys whose hashes Source::At gave.
template <class Source>
HWY_INLINE Vectors LocateAll(Vectors hashes, uint32_t blocks) {
  const U32 d32;
  for (V64& hash : hashes.at) {
    const V64 high = hn::ShiftRight<32>(hash);
    if constexpr (Source::kUnfolded) hash = hn::Xor(hash, high);
    const auto product = hn::MulEven(hn::BitCast(d32, high), hn::Set(d32, blocks));
    hash = hn::BitCast(U64(), hn::OddEven(hn::BitCast(d32, product), hn::BitCast(d32, hash)));
  }
  return hashes;
}

// Stores the places of the kAbreastKeys keys from `first` on; of kGroup keys.
template <class Source>
HWY_INLINE void StoreSome(const Source& source, size_t first, uint32_t blocks,
                          Place* HWY_RESTRICT places) {
  Store(LocateAll<Source>(source.At(first), blocks), reinterpret_cast<uint64_t*>(places));
}
template <class Source>
HWY_INLINE void StorePlaces(const Source& source, size_t first, uint32_t blocks,
                            Place* HWY_RESTRICT places) {
  for (size_t i = 0; i < kGroup; i += kAbreastKeys) {
    StoreSome(source, first + i, blocks, places + i);
  }
}

}  // namespace tamis::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TAMIS_SIMD_PLACES_INL_H_
