// XXH64 of several keys at once, one in each 64-bit lane: mirrors core/tamis/hash.h step by step.
// Keys of one fixed width need no branches, since they all take the same path.

#if defined(TAMIS_SIMD_XXH64_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TAMIS_SIMD_XXH64_INL_H_
#undef TAMIS_SIMD_XXH64_INL_H_
#else
#define TAMIS_SIMD_XXH64_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "tamis/hash.h"

HWY_BEFORE_NAMESPACE();
namespace tamis::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using U64 = hn::CappedTag<uint64_t, 8>;
using U32 = hn::Repartition<uint32_t, U64>;
using V64 = hn::Vec<U64>;

// Several vectors that go through the same steps together. Each step waits for the one before, and
// processors look too few instructions ahead to find another chain by themselves: on AVX2, four
// chains side by side take three quarters of the time of four chains in a row.
template <size_t kVectors>
struct Several {
  V64 at[kVectors];
};

// Whether registers multiply 64-bit lanes natively.
constexpr bool kHasMul64 = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL;

// Where they do not: low * low, whole, and into the high half low * high + high * low, two products
// of which one 32-bit multiplication makes both.
template <size_t kVectors>
HWY_INLINE Several<kVectors> Times(Several<kVectors> v, uint64_t factor) {
  const U64 d;
  const V64 factors = hn::Set(d, factor);
  if constexpr (kHasMul64) {
    for (V64& lanes : v.at) lanes = lanes * factors;
  } else {
    const U32 d32;
    const auto swapped = hn::BitCast(d32, hn::Set(d, (factor << 32) | (factor >> 32)));
    Several<kVectors> crossed = v;
    for (V64& lanes : crossed.at) {
      lanes = hn::BitCast(d, hn::Mul(hn::BitCast(d32, lanes), swapped));
    }
    for (V64& lanes : v.at) {
      lanes = hn::BitCast(d, hn::MulEven(hn::BitCast(d32, lanes), hn::BitCast(d32, factors)));
    }
    for (V64& lanes : crossed.at) lanes = hn::Add(lanes, hn::ShiftRight<32>(lanes));
    for (V64& lanes : crossed.at) lanes = hn::ShiftLeft<32>(lanes);
    for (size_t i = 0; i < kVectors; ++i) v.at[i] = hn::Add(v.at[i], crossed.at[i]);
  }
  return v;
}

template <int kBits, size_t kVectors>
HWY_INLINE Several<kVectors> RotateLeft(Several<kVectors> v) {
  for (V64& lanes : v.at) lanes = hn::RotateRight<64 - kBits>(lanes);
  return v;
}

template <size_t kVectors>
HWY_INLINE Several<kVectors> Plus(Several<kVectors> v, uint64_t term) {
  for (V64& lanes : v.at) lanes = hn::Add(lanes, hn::Set(U64(), term));
  return v;
}

template <size_t kVectors>
HWY_INLINE Several<kVectors> Xor(Several<kVectors> v, const Several<kVectors>& other) {
  for (size_t i = 0; i < kVectors; ++i) v.at[i] = hn::Xor(v.at[i], other.at[i]);
  return v;
}

// hash ^= hash >> kBits.
template <int kBits, size_t kVectors>
HWY_INLINE Several<kVectors> XorShifted(Several<kVectors> v) {
  for (V64& lanes : v.at) lanes = hn::Xor(lanes, hn::ShiftRight<kBits>(lanes));
  return v;
}

template <size_t kVectors>
HWY_INLINE Several<kVectors> Round(Several<kVectors> v) {
  return Times(RotateLeft<31>(Times(v, xxh64::kPrime2)), xxh64::kPrime1);
}

template <size_t kVectors>
HWY_INLINE Several<kVectors> Mix8(Several<kVectors> hash, const Several<kVectors>& value) {
  return Plus(Times(RotateLeft<27>(Xor(hash, Round(value))), xxh64::kPrime1), xxh64::kPrime4);
}

// The avalanche but for its last step, hash ^= hash >> 32.
template <size_t kVectors>
HWY_INLINE Several<kVectors> AvalancheUnfolded(Several<kVectors> hash) {
  return Times(XorShifted<29>(Times(XorShifted<33>(hash), xxh64::kPrime2)), xxh64::kPrime3);
}

// Hashes of keys that are 8 bytes, given as little-endian numbers; but for the last step.
template <size_t kVectors>
HWY_INLINE Several<kVectors> UnfoldedXxh64Of8(const Several<kVectors>& keys, uint64_t seed) {
  Several<kVectors> hash = keys;  // overwritten: see HashSource::At
  for (V64& lanes : hash.at) lanes = hn::Set(U64(), seed + xxh64::kPrime5 + 8);
  return AvalancheUnfolded(Mix8(hash, keys));
}

// The same steps for one vector.
HWY_INLINE V64 Times(V64 v, uint64_t factor) { return Times(Several<1>{{v}}, factor).at[0]; }

HWY_INLINE V64 Plus(V64 v, uint64_t term) { return hn::Add(v, hn::Set(U64(), term)); }

template <int kBits>
HWY_INLINE V64 RotateLeft(V64 v) {
  return hn::RotateRight<64 - kBits>(v);
}

HWY_INLINE V64 Round(V64 acc, V64 lane) {
  return Times(RotateLeft<31>(hn::Add(acc, Times(lane, xxh64::kPrime2))), xxh64::kPrime1);
}

HWY_INLINE V64 Fold(V64 hash, V64 acc) {
  return Plus(Times(hn::Xor(hash, Round(Several<1>{{acc}}).at[0]), xxh64::kPrime1), xxh64::kPrime4);
}

HWY_INLINE V64 Mix8(V64 hash, V64 value) {
  return Mix8(Several<1>{{hash}}, Several<1>{{value}}).at[0];
}

HWY_INLINE V64 Mix4(V64 hash, V64 value) {
  return Plus(Times(RotateLeft<23>(hn::Xor(hash, Times(value, xxh64::kPrime1))), xxh64::kPrime2),
              xxh64::kPrime3);
}

HWY_INLINE V64 Mix1(V64 hash, V64 value) {
  return Times(RotateLeft<11>(hn::Xor(hash, Times(value, xxh64::kPrime5))), xxh64::kPrime1);
}

HWY_INLINE V64 Avalanche(V64 hash) {
  return XorShifted<32>(AvalancheUnfolded(Several<1>{{hash}})).at[0];
}

// Hashes of keys that are 4 bytes, each in the low half of its lane, the high half 0.
HWY_INLINE V64 Xxh64Of4(V64 keys, uint64_t seed) {
  return Avalanche(Mix4(hn::Set(U64(), seed + xxh64::kPrime5 + 4), keys));
}

// The four accumulators over whole stripes of 32 bytes, folded into one hash. `at` is moved past.
HWY_INLINE V64 Stripes(const char*& at, hn::Vec<hn::RebindToSigned<U64>> offsets, uint32_t stripes,
                       uint64_t seed) {
  const U64 d;
  V64 a = hn::Set(d, seed + xxh64::kPrime1 + xxh64::kPrime2);
  V64 b = hn::Set(d, seed + xxh64::kPrime2);
  V64 c = hn::Set(d, seed);
  V64 e = hn::Set(d, seed - xxh64::kPrime1);
  for (; stripes > 0; --stripes, at += 32) {
    a = Round(a, hn::GatherOffset(d, reinterpret_cast<const uint64_t*>(at), offsets));
    b = Round(b, hn::GatherOffset(d, reinterpret_cast<const uint64_t*>(at + 8), offsets));
    c = Round(c, hn::GatherOffset(d, reinterpret_cast<const uint64_t*>(at + 16), offsets));
    e = Round(e, hn::GatherOffset(d, reinterpret_cast<const uint64_t*>(at + 24), offsets));
  }
  const V64 sum = hn::Add(hn::Add(RotateLeft<1>(a), RotateLeft<7>(b)),
                          hn::Add(RotateLeft<12>(c), RotateLeft<18>(e)));
  return Fold(Fold(Fold(Fold(sum, a), b), c), e);
}

// Hashes of keys of `width` bytes, 8 or more, one at `keys` plus each of `offsets`. Reads nothing
// outside of the keys: the tail comes out of each key's last 8 bytes.
HWY_INLINE V64 Xxh64OfWidth(const char* keys, hn::Vec<hn::RebindToSigned<U64>> offsets,
                            uint32_t width, uint64_t seed) {
  const U64 d;
  const char* at = keys;
  V64 hash =
      width >= 32 ? Stripes(at, offsets, width / 32, seed) : hn::Set(d, seed + xxh64::kPrime5);
  hash = Plus(hash, width);
  for (uint32_t words = width % 32 / 8; words > 0; --words, at += 8) {
    hash = Mix8(hash, hn::GatherOffset(d, reinterpret_cast<const uint64_t*>(at), offsets));
  }
  uint32_t left = width % 8;
  if (left != 0) {
    const char* last = keys + width - 8;
    V64 tail = hn::GatherOffset(d, reinterpret_cast<const uint64_t*>(last), offsets);
    tail = hn::ShiftRightSame(tail, static_cast<int>(8 * (8 - left)));
    if (left >= 4) {
      hash = Mix4(hash, hn::And(tail, hn::Set(d, 0xffffffff)));
      tail = hn::ShiftRight<32>(tail);
      left -= 4;
    }
    for (; left > 0; --left, tail = hn::ShiftRight<8>(tail)) {
      hash = Mix1(hash, hn::And(tail, hn::Set(d, 0xff)));
    }
  }
  return Avalanche(hash);
}

}  // namespace tamis::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TAMIS_SIMD_XXH64_INL_H_
