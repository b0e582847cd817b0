#include "simd/string_hash.h"

#include <algorithm>
#include <string_view>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tamis::simd {

void HashStrings(const Keys& keys, uint64_t seed, uint64_t* hashes, const Fetch& fetch) {
  const auto hash = [&](uint64_t i) {
    const std::string_view key = keys[i];
    hashes[i] = XXH64(key.data(), key.size(), seed);
  };
  const uint64_t both = std::min<uint64_t>(keys.size(), fetch.places.size());
  uint64_t i = 0;
  for (; i < both; ++i) {
    // Into the second cache level: simd/steps-inl.h says why.
    __builtin_prefetch(fetch.bits + fetch.places[i].block * fetch.block_bytes, 0, 2);
    hash(i);
  }
  for (; i < keys.size(); ++i) hash(i);
}

void HashStringsTwice(const Keys& keys, uint64_t first_seed, uint64_t second_seed,
                      uint64_t* hashes) {
  for (uint64_t i = 0; i < keys.size(); ++i) {
    const std::string_view key = keys[i];
    hashes[2 * i] = XXH64(key.data(), key.size(), first_seed);
    hashes[2 * i + 1] = XXH64(key.data(), key.size(), second_seed);
  }
}

}  // namespace tamis::simd
