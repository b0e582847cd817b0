// XXH64 of keys of any kind that has bytes, one by one, by the xxHash library: scalar code, so it
// is compiled once and not for every instruction set.
#ifndef TAMIS_SIMD_STRING_HASH_H_
#define TAMIS_SIMD_STRING_HASH_H_

#include <cstdint>

#include "tamis/keys.h"

namespace tamis::simd {

/// Writes keys.size() hashes. Not for Keys::Kind::kHashes.
void HashStrings(const Keys& keys, uint64_t seed, uint64_t* hashes);

}  // namespace tamis::simd

#endif  // TAMIS_SIMD_STRING_HASH_H_
