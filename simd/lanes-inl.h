// The numbers that hash and probe schemes compute with, a vector of them at a time: what
// core/tamis/arithmetic.h has for one.

#if defined(TAMIS_SIMD_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TAMIS_SIMD_LANES_INL_H_
#undef TAMIS_SIMD_LANES_INL_H_
#else
#define TAMIS_SIMD_LANES_INL_H_
#endif

#include "hwy/highway.h"
#include "simd/xxh64-inl.h"
#include "tamis/arithmetic.h"

HWY_BEFORE_NAMESPACE();
namespace tamis::simd::HWY_NAMESPACE {

struct Lanes {
  V64 v = hn::Zero(U64());

  Lanes() = default;
  HWY_INLINE Lanes(V64 vector) : v(vector) {}                              // NOLINT: a Lanes is one
  HWY_INLINE explicit Lanes(uint64_t value) : v(hn::Set(U64(), value)) {}  // in every lane

  friend HWY_INLINE Lanes operator+(Lanes a, Lanes b) { return hn::Add(a.v, b.v); }
  friend HWY_INLINE Lanes operator-(Lanes a, Lanes b) { return hn::Sub(a.v, b.v); }
  friend HWY_INLINE Lanes operator^(Lanes a, Lanes b) { return hn::Xor(a.v, b.v); }
  friend HWY_INLINE Lanes operator&(Lanes a, Lanes b) { return hn::And(a.v, b.v); }
  friend HWY_INLINE Lanes operator|(Lanes a, Lanes b) { return hn::Or(a.v, b.v); }
  friend HWY_INLINE Lanes operator*(Lanes a, Lanes b) { return Product(a.v, b.v); }
  friend HWY_INLINE Lanes operator*(Lanes a, uint64_t b) { return Times(a.v, b); }

 private:
  // As Times(), for a factor in each lane.
  static HWY_INLINE V64 Product(V64 a, V64 b) {
    if constexpr (kHasMul64) return a * b;
    const U64 d;
    const U32 d32;
    const auto a32 = hn::BitCast(d32, a);
    const auto b32 = hn::BitCast(d32, b);
    const V64 crossed = hn::BitCast(d, hn::Mul(a32, hn::Reverse2(d32, b32)));
    const V64 high = hn::ShiftLeft<32>(hn::Add(crossed, hn::ShiftRight<32>(crossed)));
    return hn::Add(hn::BitCast(d, hn::MulEven(a32, b32)), high);
  }
};

template <int kBits>
HWY_INLINE Lanes RotateLeft(Lanes x) {
  return RotateLeft<kBits>(x.v);
}
template <int kBits>
HWY_INLINE Lanes ShiftRight(Lanes x) {
  return hn::ShiftRight<kBits>(x.v);
}
template <int kBits>
HWY_INLINE Lanes ShiftLeft(Lanes x) {
  return hn::ShiftLeft<kBits>(x.v);
}

// From the four products of 32-bit halves.
HWY_INLINE Lanes MulHigh(Lanes a, Lanes b) {
  const U64 d;
  const U32 d32;
  const auto product = [&](V64 x, V64 y) HWY_ATTR {
    return hn::BitCast(d, hn::MulEven(hn::BitCast(d32, x), hn::BitCast(d32, y)));
  };
  const V64 a_high = hn::ShiftRight<32>(a.v);
  const V64 b_high = hn::ShiftRight<32>(b.v);
  const V64 middle = hn::Add(hn::ShiftRight<32>(product(a.v, b.v)), product(a_high, b.v));
  const V64 other = hn::Add(hn::And(middle, hn::Set(d, 0xffffffff)), product(a.v, b_high));
  return hn::Add(product(a_high, b_high),
                 hn::Add(hn::ShiftRight<32>(middle), hn::ShiftRight<32>(other)));
}
HWY_INLINE Lanes MulHigh(Lanes a, uint64_t b) { return MulHigh(a, Lanes(b)); }

// x - m if that is not negative, else x. Both are below 2^64, m at most 2^63: the smaller of the
// two as unsigned numbers.
HWY_INLINE Lanes SubtractOnce(Lanes x, uint64_t m) {
  const V64 less = hn::Sub(x.v, hn::Set(U64(), m));
  return hn::Min(x.v, less);
}

HWY_INLINE Lanes Mod(Lanes x, const BitRange& range) {
  return SubtractOnce(x - MulHigh(x, range.reciprocal) * range.size, range.size);
}
// The same product from two of the four partial ones where the range has 32 bits: most filters.
HWY_INLINE Lanes Scale(Lanes x, const BitRange& range) {
  if (range.size >> 32 != 0) return MulHigh(x, range.size);
  const U64 d;
  const U32 d32;
  const auto size = hn::BitCast(d32, hn::Set(d, range.size));
  const V64 low = hn::BitCast(d, hn::MulEven(hn::BitCast(d32, x.v), size));
  const V64 high = hn::BitCast(d, hn::MulEven(hn::BitCast(d32, hn::ShiftRight<32>(x.v)), size));
  return hn::ShiftRight<32>(hn::Add(high, hn::ShiftRight<32>(low)));
}

using tamis::LoadBytes;
using tamis::Mod;
using tamis::MulHigh;
using tamis::RotateLeft;
using tamis::Scale;
using tamis::ShiftLeft;
using tamis::ShiftRight;
using tamis::SubtractOnce;

}  // namespace tamis::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TAMIS_SIMD_LANES_INL_H_
