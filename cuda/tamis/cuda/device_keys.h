// Keys as device code sees them: the fields of tamis::Keys, all of whose pointers the device can
// read, and the hash of one key. Every function runs on the host too, where tests drive it.
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

  /// The hash of key i, 0 to size - 1.
  TAMIS_HOST_DEVICE uint64_t HashAt(uint64_t i, uint64_t seed) const {
    switch (kind) {
      case Keys::Kind::kStrings32:
        return Between(static_cast<const uint32_t*>(items), i, seed);
      case Keys::Kind::kStrings64:
        return Between(static_cast<const uint64_t*>(items), i, seed);
      case Keys::Kind::kFixed:
        return Xxh64<AlignedWords>(
            std::string_view(static_cast<const char*>(items) + i * width_or_gap, width_or_gap),
            seed);
      case Keys::Kind::kHashes:
      case Keys::Kind::kViews:
        break;
    }
    return static_cast<const uint64_t*>(items)[i];
  }

 private:
  template <typename Offset>
  TAMIS_HOST_DEVICE uint64_t Between(const Offset* offsets, uint64_t i, uint64_t seed) const {
    const uint64_t length = static_cast<uint64_t>(offsets[i + 1] - offsets[i]) - width_or_gap;
    return Xxh64<AlignedWords>(std::string_view(bytes + offsets[i], length), seed);
  }
};

/// A batch of keys that are one aligned 64-bit word each: integers still to be hashed, or hashes.
/// What the kernels of a filter take; other keys are hashed by a kernel of their own first.
struct WordKeys {
  const uint64_t* items;
  uint64_t seed;
  bool hashed;

  TAMIS_HOST_DEVICE uint64_t HashAt(uint64_t i) const {
    return hashed ? items[i] : Xxh64(items[i], seed);
  }
};

}  // namespace tamis

#endif  // TAMIS_CUDA_DEVICE_KEYS_H_
