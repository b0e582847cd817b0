// XXH64 (other schemes: tamis/schemes.h), the definition that scalar code runs, constants are
// checked against, and device code compiles. Written from the specification,
// https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md. Fast paths (lanes of vectors,
// the xxHash library for long strings) are held to it by tests.
#ifndef TAMIS_HASH_H_
#define TAMIS_HASH_H_

#include <bit>
#include <cstdint>
#include <string_view>

#include "tamis/bits.h"

namespace tamis {

namespace xxh64 {

inline constexpr uint64_t kPrime1 = 0x9E3779B185EBCA87;
inline constexpr uint64_t kPrime2 = 0xC2B2AE3D27D4EB4F;
inline constexpr uint64_t kPrime3 = 0x165667B19E3779F9;
inline constexpr uint64_t kPrime4 = 0x85EBCA77C2B2AE63;
inline constexpr uint64_t kPrime5 = 0x27D4EB2F165667C5;

/// Reads memory byte by byte, at any address and at compile time too.
struct ByteByByte {
  /// `n` bytes (8, 4 or 1) as an unsigned little-endian number. Bytes are unsigned, always.
  TAMIS_HOST_DEVICE static constexpr uint64_t Load(const char* bytes, int n) {
    uint64_t value = 0;
    for (int i = 0; i < n; ++i) {
      value |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    }
    return value;
  }
};

TAMIS_HOST_DEVICE constexpr uint64_t Round(uint64_t acc, uint64_t lane) {
  return std::rotl(acc + lane * kPrime2, 31) * kPrime1;
}

TAMIS_HOST_DEVICE constexpr uint64_t Fold(uint64_t hash, uint64_t acc) {
  return (hash ^ Round(0, acc)) * kPrime1 + kPrime4;
}

/// Mixes the next 8, 4 or 1 bytes of a tail into the hash.
TAMIS_HOST_DEVICE constexpr uint64_t Mix8(uint64_t hash, uint64_t value) {
  return std::rotl(hash ^ Round(0, value), 27) * kPrime1 + kPrime4;
}
TAMIS_HOST_DEVICE constexpr uint64_t Mix4(uint64_t hash, uint64_t value) {
  return std::rotl(hash ^ (value * kPrime1), 23) * kPrime2 + kPrime3;
}
TAMIS_HOST_DEVICE constexpr uint64_t Mix1(uint64_t hash, uint64_t value) {
  return std::rotl(hash ^ (value * kPrime5), 11) * kPrime1;
}

TAMIS_HOST_DEVICE constexpr uint64_t Avalanche(uint64_t hash) {
  hash = (hash ^ (hash >> 33)) * kPrime2;
  hash = (hash ^ (hash >> 29)) * kPrime3;
  return hash ^ (hash >> 32);
}

}  // namespace xxh64

/// XXH64 of any bytes. `Reader` is how they are read: devices have one of their own.
template <typename Reader = xxh64::ByteByByte>
TAMIS_HOST_DEVICE constexpr uint64_t Xxh64(std::string_view key, uint64_t seed) {
  const char* at = key.data();
  uint64_t left = key.size();
  uint64_t hash = seed + xxh64::kPrime5;
  if (left >= 32) {
    uint64_t acc[4] = {seed + xxh64::kPrime1 + xxh64::kPrime2, seed + xxh64::kPrime2, seed,
                       seed - xxh64::kPrime1};
    for (; left >= 32; left -= 32) {
      for (uint64_t& lane : acc) {
        lane = xxh64::Round(lane, Reader::Load(at, 8));
        at += 8;
      }
    }
    hash =
        std::rotl(acc[0], 1) + std::rotl(acc[1], 7) + std::rotl(acc[2], 12) + std::rotl(acc[3], 18);
    for (const uint64_t lane : acc) hash = xxh64::Fold(hash, lane);
  }
  hash += key.size();
  for (; left >= 8; left -= 8, at += 8) hash = xxh64::Mix8(hash, Reader::Load(at, 8));
  if (left >= 4) {
    hash = xxh64::Mix4(hash, Reader::Load(at, 4));
    left -= 4;
    at += 4;
  }
  for (; left > 0; --left, ++at) hash = xxh64::Mix1(hash, Reader::Load(at, 1));
  return xxh64::Avalanche(hash);
}

/// XXH64 of the 8 little-endian bytes of an integer: the same as Xxh64 of those bytes.
TAMIS_HOST_DEVICE constexpr uint64_t Xxh64(uint64_t key, uint64_t seed) {
  return xxh64::Avalanche(xxh64::Mix8(seed + xxh64::kPrime5 + sizeof(key), key));
}

/// XXH3 with a seed, by the xxHash library: 64 bits for one word; the low and the high half of the
/// 128-bit hash for two.
void LibraryXxh3(std::string_view key, uint64_t seed, int words, uint64_t* hash);

}  // namespace tamis

#endif  // TAMIS_HASH_H_
