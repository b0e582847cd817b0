// MurmurHash3_x64_128 (Austin Appleby; https://github.com/aappleby/smhasher, public domain), both
// halves as little-endian numbers. Its seed has 32 bits; higher ones are refused by Validate().
struct Murmur3X64Hash {
  static constexpr uint32_t kId = 3;
  static constexpr std::string_view kName = "murmur3_x64_128";
  static constexpr int kWords = 2;
  static constexpr int kBits = 128;
  static constexpr bool kSeeded = true;
  static constexpr bool kKeyed = false;

  TAMIS_HOST_DEVICE static constexpr void Of(std::string_view key, const HashSeed& seed, int words,
                                             uint64_t* hash) {
    uint64_t h1 = seed.seed;
    uint64_t h2 = seed.seed;
    const char* at = key.data();
    uint64_t left = key.size();
    for (; left >= 16; left -= 16, at += 16) {
      h1 = RotateLeft<27>(h1 ^ MixLow(LoadBytes(at, 8))) + h2;
      h1 = h1 * 5 + 0x52dce729;
      h2 = RotateLeft<31>(h2 ^ MixHigh(LoadBytes(at + 8, 8))) + h1;
      h2 = h2 * 5 + 0x38495ab5;
    }
    if (left > 8) h2 ^= MixHigh(LoadBytes(at + 8, static_cast<int>(left) - 8));
    if (left > 0) h1 ^= MixLow(LoadBytes(at, left < 8 ? static_cast<int>(left) : 8));
    Finish(h1, h2, key.size(), words, hash);
  }

  template <class U>
  TAMIS_HOST_DEVICE static constexpr void Of8(U key, const HashSeed& seed, int words, U* hash) {
    Finish(U(seed.seed) ^ MixLow(key), U(seed.seed), 8, words, hash);
  }

 private:
  static constexpr uint64_t kFactor1 = 0x87c37b91114253d5;
  static constexpr uint64_t kFactor2 = 0x4cf5ad432745937f;

  template <class U>
  TAMIS_HOST_DEVICE static constexpr U MixLow(U k) {
    return RotateLeft<31>(k * U(kFactor1)) * U(kFactor2);
  }
  template <class U>
  TAMIS_HOST_DEVICE static constexpr U MixHigh(U k) {
    return RotateLeft<33>(k * U(kFactor2)) * U(kFactor1);
  }
  template <class U>
  TAMIS_HOST_DEVICE static constexpr void Finish(U h1, U h2, uint64_t length, int words, U* hash) {
    h1 = h1 ^ U(length);
    h2 = h2 ^ U(length);
    h1 = h1 + h2;
    h2 = h2 + h1;
    h1 = Murmur3Finish(h1);
    h2 = Murmur3Finish(h2);
    hash[0] = h1 + h2;
    if (words > 1) hash[1] = h2 + hash[0];
  }
};
