// Hashes of batches by any scheme: keys of 8 bytes in lanes where the scheme has a way for them,
// others one by one.

#if defined(TAMIS_SIMD_SCHEME_HASH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TAMIS_SIMD_SCHEME_HASH_INL_H_
#undef TAMIS_SIMD_SCHEME_HASH_INL_H_
#else
#define TAMIS_SIMD_SCHEME_HASH_INL_H_
#endif

#include <algorithm>

#include "hwy/highway.h"
#include "simd/places-inl.h"
#include "simd/schemes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tamis::simd::HWY_NAMESPACE {

// Stores words of each key side by side.
template <int kWords>
HWY_INLINE void StoreWords(const Lanes* hash, uint64_t* to) {
  const U64 d;
  if constexpr (kWords == 1) {
    hn::StoreU(hash[0].v, d, to);
  } else if constexpr (kWords == 2) {
    hn::StoreInterleaved2(hash[0].v, hash[1].v, d, to);
  } else {
    hn::StoreInterleaved4(hash[0].v, hash[1].v, hash[2].v, hash[3].v, d, to);
  }
}

// As many of the keys, each 8 bytes, as fill whole vectors. Returns how many.
template <class H, int kWords>
size_t HashInLanes(const Keys& keys, const HashSeed& seed, uint64_t* hashes) {
  size_t i = 0;
  if constexpr (requires(Lanes key, Lanes * hash) { H::Of8(key, seed, kWords, hash); }) {
    const U64 d;
    const size_t lanes = hn::Lanes(d);
    const auto* items = reinterpret_cast<const uint64_t*>(keys.bytes());
    for (; i + lanes <= keys.size(); i += lanes) {
      Lanes hash[kWords];
      H::Of8(Lanes(hn::LoadU(d, items + i)), seed, kWords, hash);
      StoreWords<kWords>(hash, hashes + i * kWords);
    }
  }
  return i;
}

template <class H, int kWords>
void HashByScheme(const Keys& keys, const HashSeed& seed, uint64_t* hashes) {
  size_t i = 0;
  if (keys.kind() == Keys::Kind::kFixed && keys.width() == 8) {
    i = HashInLanes<H, kWords>(keys, seed, hashes);
  }
  for (; i < keys.size(); ++i) H::Of(keys[i], seed, kWords, hashes + i * kWords);
}

// Hashes of all keys, as many words each as the Spec takes.
inline void HashBySpec(const Spec& spec, const Keys& keys, uint64_t* hashes) {
  const int words = spec.hash_words();
  if (keys.kind() == Keys::Kind::kHashes) {
    std::copy_n(keys.hashes(), keys.size() * static_cast<size_t>(words), hashes);
    return;
  }
  const bool numbers = keys.kind() == Keys::Kind::kFixed && keys.width() == 8;
  if (spec.hash == HashScheme::kXxh64) {
    if (words == 1) return HashKeys(keys, spec.seed, hashes);
    if (!numbers) {
      return HashStringsTwice(keys, spec.seed, Xxh64Hash::SecondSeed(spec.seed), hashes);
    }
  }
  HashSchemes::Visit(static_cast<uint32_t>(spec.hash), [&]<class H>(H) HWY_ATTR {
    const HashSeed seed = spec.hash_seed();
    if (words == 1) return HashByScheme<H, 1>(keys, seed, hashes);
    if constexpr (H::kWords >= 2) {
      if (words == 2) return HashByScheme<H, 2>(keys, seed, hashes);
    }
    if constexpr (H::kWords >= 4) HashByScheme<H, 4>(keys, seed, hashes);
  });
}

}  // namespace tamis::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TAMIS_SIMD_SCHEME_HASH_INL_H_
