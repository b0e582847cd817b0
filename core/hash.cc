// Hashes of single keys by any scheme, and what comes from the xxHash library.

#include "tamis/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "tamis/schemes.h"

namespace tamis {

void LibraryXxh3(std::string_view key, uint64_t seed, int words, uint64_t* hash) {
  if (words == 1) {
    hash[0] = XXH3_64bits_withSeed(key.data(), key.size(), seed);
    return;
  }
  const XXH128_hash_t both = XXH3_128bits_withSeed(key.data(), key.size(), seed);
  hash[0] = both.low64;
  hash[1] = both.high64;
}

KeyHash HashOf(const Spec& spec, std::string_view key) {
  KeyHash hash;
  VisitHash(spec.hash,
            [&]<class H>(H) { H::Of(key, spec.hash_seed(), spec.hash_words(), hash.words); });
  return hash;
}

KeyHash HashOf(const Spec& spec, uint64_t key) {
  if (spec.hash == HashScheme::kXxh64 && spec.hash_words() == 1) {
    return {.words = {Xxh64(key, spec.seed)}};  // most often, and most often asked for in a loop
  }
  char bytes[sizeof key] = {};
  for (size_t i = 0; i < sizeof key; ++i) bytes[i] = static_cast<char>(key >> (8 * i));
  return HashOf(spec, std::string_view(bytes, sizeof key));
}

}  // namespace tamis
