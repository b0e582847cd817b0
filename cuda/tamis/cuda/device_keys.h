// Keys as device code sees them: the fields of tamis::Keys, all of whose pointers the device can
// read. Every function runs on the host too, where tests drive it.
#ifndef TAMIS_CUDA_DEVICE_KEYS_H_
#define TAMIS_CUDA_DEVICE_KEYS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "tamis/bits.h"
#include "tamis/hash.h"
#include "tamis/keys.h"

namespace tamis {

/// Reads keys by whole aligned 32-bit words, so a word that holds one byte of a key is read in
/// full: memory must be readable up to the next multiple of four, as all that cudaMalloc gives is.
struct AlignedWords {
  /// `n` bytes (8, 4 or 1) as an unsigned little-endian number.
  TAMIS_HOST_DEVICE static uint64_t Load(const char* bytes, int n) {
    const auto misaligned = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(bytes) % 4);
    const char* word = bytes - misaligned;
    const uint32_t shift = 8 * misaligned;
    if (n == 1) return (Word(word, 0) >> shift) & 0xff;
    if (n == 4) {
      const uint64_t low = Word(word, 0);
      return shift == 0 ? low : ((low | Word(word, 1) << 32) >> shift) & 0xffffffff;
    }
    const uint64_t low = Word(word, 0) | Word(word, 1) << 32;
    return shift == 0 ? low : low >> shift | Word(word, 2) << (64 - shift);
  }

 private:
  TAMIS_HOST_DEVICE static uint64_t Word(const char* aligned, uint32_t i) {
    uint32_t word = 0;
    memcpy(&word, __builtin_assume_aligned(aligned + size_t{4} * i, 4), sizeof word);
    return word;
  }
};

/// A batch of keys in memory that the device can read. Trivially copyable: passed to kernels.
struct DeviceKeys {
  Keys::Kind kind;  ///< any but kViews
  const void* items;
  const char* bytes;
  uint64_t size;
  uint32_t width_or_gap;

  /// The fields of `keys`, none of which may be views.
  static DeviceKeys Of(const Keys& keys) {
    return {.kind = keys.kind(),
            .items = keys.items(),
            .bytes = keys.bytes(),
            .size = keys.size(),
            .width_or_gap = keys.gap()};
  }

  /// Whether every key is 8 bytes: a number, at any address.
  TAMIS_HOST_DEVICE bool AreIntegers() const {
    return kind == Keys::Kind::kFixed && width_or_gap == sizeof(uint64_t);
  }
  TAMIS_HOST_DEVICE uint64_t IntegerAt(uint64_t i) const {
    return AlignedWords::Load(static_cast<const char*>(items) + i * sizeof(uint64_t), 8);
  }

  /// The bytes of key i, 0 to size - 1, for every kind but kHashes.
  TAMIS_HOST_DEVICE std::string_view KeyAt(uint64_t i) const {
    if (kind == Keys::Kind::kStrings32) return Between(static_cast<const uint32_t*>(items), i);
    if (kind == Keys::Kind::kStrings64) return Between(static_cast<const uint64_t*>(items), i);
    return {static_cast<const char*>(items) + i * width_or_gap, width_or_gap};
  }

 private:
  template <typename Offset>
  TAMIS_HOST_DEVICE std::string_view Between(const Offset* offsets, uint64_t i) const {
    return {bytes + offsets[i], static_cast<size_t>(offsets[i + 1] - offsets[i]) - width_or_gap};
  }
};

/// A batch of keys as the kernels of a filter take them: ready hashes, of `words` words each; or,
/// of filters that need one word of XXH64, 64-bit integers still to be hashed, each at an address
/// that is a multiple of 8. A kernel of their own makes other keys into hashes first.
struct WordKeys {
  const uint64_t* items;
  uint64_t seed;
  bool hashed;
  int words = 1;

  /// The first word of key i's hash.
  TAMIS_HOST_DEVICE uint64_t HashAt(uint64_t i) const {
    return hashed ? items[i] : Xxh64(items[i], seed);
  }
  /// All words of key i's hash. The keys must be hashes.
  TAMIS_HOST_DEVICE const uint64_t* WordsAt(uint64_t i) const {
    return items + i * static_cast<unsigned>(words);
  }
};

}  // namespace tamis

#endif  // TAMIS_CUDA_DEVICE_KEYS_H_
