// From keys to the words of their hashes, by any scheme of tamis/schemes.h: each scheme's own
// functions, compiled for the device, and two things that are the device's alone. XXH64 reads
// strings by aligned words (those of the others by bytes), and XXH3 of strings, whose definition is
// a library of the host, is left to the host.
#ifndef TAMIS_CUDA_HASH_KEYS_CUH_
#define TAMIS_CUDA_HASH_KEYS_CUH_

#include <cstdint>
#include <string_view>

#include "tamis/cuda/device_keys.h"
#include "tamis/schemes.h"

namespace tamis::gpu {

/// Types::Visit for the device: false if there is none of that id.
template <typename F, class... T>
TAMIS_HOST_DEVICE bool VisitId(Types<T...> /*all*/, uint32_t id, F&& f) {
  return ((T::kId == id && (f(T{}), true)) || ...);
}

/// How a scheme takes bytes.
template <class Scheme>
struct BytesBy {
  static constexpr bool kOnDevice = true;
  TAMIS_HOST_DEVICE static void Hash(std::string_view key, const HashSeed& seed, int words,
                                     uint64_t* hash) {
    Scheme::Of(key, seed, words, hash);
  }
};
template <>
struct BytesBy<Xxh64Hash> {
  static constexpr bool kOnDevice = true;
  TAMIS_HOST_DEVICE static void Hash(std::string_view key, const HashSeed& seed, int words,
                                     uint64_t* hash) {
    hash[0] = Xxh64<AlignedWords>(key, seed.seed);
    if (words > 1) hash[1] = Xxh64<AlignedWords>(key, Xxh64Hash::SecondSeed(seed.seed));
  }
};
template <>
struct BytesBy<Xxh3Hash> {
  static constexpr bool kOnDevice = false;
};

/// Whether the device makes hashes of such keys by this scheme.
inline bool HashesOnDevice(HashScheme hash, const DeviceKeys& keys) {
  if (keys.kind == Keys::Kind::kViews) return false;
  if (keys.kind == Keys::Kind::kHashes || keys.AreIntegers()) return true;
  bool does = false;
  VisitHash(hash, [&]<class S>(S) { does = BytesBy<S>::kOnDevice; });
  return does;
}

/// Writes the hashes of keys: `words` words a key, back to back. HashesOnDevice(hash, keys) must
/// hold, and the keys be no hashes.
struct HashKeys {
  DeviceKeys keys;
  HashScheme hash;
  HashSeed seed;
  int words;
  uint64_t* hashes;

  TAMIS_HOST_DEVICE void operator()(uint64_t i) const {
    uint64_t* out = hashes + i * static_cast<unsigned>(words);
    VisitId(HashSchemes(), static_cast<uint32_t>(hash), [&]<class S>(S) {
      if (keys.AreIntegers()) {
        S::Of8(keys.IntegerAt(i), seed, words, out);
      } else if constexpr (BytesBy<S>::kOnDevice) {
        BytesBy<S>::Hash(keys.KeyAt(i), seed, words, out);
      }
    });
  }
};

}  // namespace tamis::gpu

#endif  // TAMIS_CUDA_HASH_KEYS_CUH_
