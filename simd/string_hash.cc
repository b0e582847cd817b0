#include "simd/string_hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tamis::simd {

void HashStrings(const Keys& keys, uint64_t seed, uint64_t* hashes) {
  for (uint64_t i = 0; i < keys.size(); ++i) {
    const std::string_view key = keys[i];
    hashes[i] = XXH64(key.data(), key.size(), seed);
  }
}

}  // namespace tamis::simd
