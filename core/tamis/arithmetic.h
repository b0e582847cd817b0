// What hash and probe schemes compute with, on plain numbers. Schemes are templates over the type
// U of their numbers: uint64_t here, and in simd/ a vector of them (simd/lanes-inl.h has the same
// functions). Shifts and rotations are by constants, since vectors want them so.
#ifndef TAMIS_ARITHMETIC_H_
#define TAMIS_ARITHMETIC_H_

#include <bit>
#include <cstdint>
#include <string_view>

#include "tamis/bits.h"

namespace tamis {

template <int kBits>
TAMIS_HOST_DEVICE constexpr uint64_t RotateLeft(uint64_t x) {
  return std::rotl(x, kBits);
}
template <int kBits>
TAMIS_HOST_DEVICE constexpr uint64_t ShiftRight(uint64_t x) {
  return x >> kBits;
}
template <int kBits>
TAMIS_HOST_DEVICE constexpr uint64_t ShiftLeft(uint64_t x) {
  return x << kBits;
}

/// The high 64 bits of the 128-bit product.
TAMIS_HOST_DEVICE constexpr uint64_t MulHigh(uint64_t a, uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<uint64_t>((Wide{a} * b) >> 64);
}

/// x - m if that is not negative, else x.
TAMIS_HOST_DEVICE constexpr uint64_t SubtractOnce(uint64_t x, uint64_t m) {
  return x >= m ? x - m : x;
}

/// The positions 0 to size - 1 of a classic filter, and how to bring 64-bit numbers into them.
struct BitRange {
  uint64_t size;        ///< 1 to 2^63
  uint64_t reciprocal;  ///< 2^64 / size, less 1 if that is whole, rounded down

  TAMIS_HOST_DEVICE explicit constexpr BitRange(uint64_t m) : size(m), reciprocal(UINT64_MAX / m) {}
};

/// x mod range.size. The quotient by the reciprocal is right or one too small.
TAMIS_HOST_DEVICE constexpr uint64_t Mod(uint64_t x, const BitRange& range) {
  return SubtractOnce(x - MulHigh(x, range.reciprocal) * range.size, range.size);
}

/// The range's position that lies where x lies among 64-bit numbers (Lemire: Fast Random Integer
/// Generation in an Interval, 2019): x * size / 2^64.
TAMIS_HOST_DEVICE constexpr uint64_t Scale(uint64_t x, const BitRange& range) {
  return MulHigh(x, range.size);
}

/// `n` bytes (1 to 8) as an unsigned little-endian number. Bytes are unsigned, always.
TAMIS_HOST_DEVICE constexpr uint64_t LoadBytes(const char* bytes, int n) {
  uint64_t value = 0;
  for (int i = 0; i < n; ++i) {
    value |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return value;
}

/// Bytes that a hash scheme takes beside the key's.
struct HashSeed {
  uint64_t seed = 0;
  uint64_t secret[2] = {};  ///< of keyed schemes
};

}  // namespace tamis

#endif  // TAMIS_ARITHMETIC_H_
