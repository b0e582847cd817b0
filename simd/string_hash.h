// XXH64 of keys of any kind that has bytes, one by one, by the xxHash library: scalar code, so it
// is compiled once and not for every instruction set.
#ifndef TAMIS_SIMD_STRING_HASH_H_
#define TAMIS_SIMD_STRING_HASH_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "tamis/bits.h"
#include "tamis/keys.h"

namespace tamis::simd {

/// Blocks to be fetched meanwhile, one a key as long as there are any.
struct Fetch {
  const std::byte* bits = nullptr;
  size_t block_bytes = 0;
  std::span<const Place> places = {};
};

/// Writes keys.size() hashes. Not for Keys::Kind::kHashes.
void HashStrings(const Keys& keys, uint64_t seed, uint64_t* hashes, const Fetch& fetch = {});

/// Writes two hashes a key side by side, by one seed and by another.
void HashStringsTwice(const Keys& keys, uint64_t first_seed, uint64_t second_seed,
                      uint64_t* hashes);

}  // namespace tamis::simd

#endif  // TAMIS_SIMD_STRING_HASH_H_
