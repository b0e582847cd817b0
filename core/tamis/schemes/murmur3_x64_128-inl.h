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
    const Tail tail = MixBlocks(key, h1, h2);
    if (key.size() % 16 > 8) h2 ^= MixHigh(tail.high);
    if (key.size() % 16 > 0) h1 ^= MixLow(tail.low);
    Finish(h1, h2, key.size(), words, hash);
  }

  /// The same for the key with one byte 1 behind it, seed 0 (see murmur3_x64_256-inl.h).
  TAMIS_HOST_DEVICE static constexpr void OfWithOneBehind(std::string_view key, int words,
                                                          uint64_t* hash) {
    uint64_t h1 = 0;
    uint64_t h2 = 0;
    Tail tail = MixBlocks(key, h1, h2);
    const uint64_t left = key.size() % 16;
    (left < 8 ? tail.low : tail.high) |= uint64_t{1} << (left % 8 * 8);
    if (left == 15) {
      MixBlock(tail, h1, h2);
    } else {
      if (left >= 8) h2 ^= MixHigh(tail.high);
      h1 ^= MixLow(tail.low);
    }
    Finish(h1, h2, key.size() + 1, words, hash);
  }
  template <class U>
  TAMIS_HOST_DEVICE static constexpr void Of8WithOneBehind(U key, int words, U* hash) {
    Finish(MixLow(key), MixHigh(U(1)), 9, words, hash);
  }

  template <class U>
  TAMIS_HOST_DEVICE static constexpr void Of8(U key, const HashSeed& seed, int words, U* hash) {
    Finish(U(seed.seed) ^ MixLow(key), U(seed.seed), 8, words, hash);
  }

 private:
  struct Tail {
    uint64_t low = 0;
    uint64_t high = 0;
  };

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
  TAMIS_HOST_DEVICE static constexpr void MixBlock(const Tail& block, uint64_t& h1, uint64_t& h2) {
    h1 = RotateLeft<27>(h1 ^ MixLow(block.low)) + h2;
    h1 = h1 * 5 + 0x52dce729;
    h2 = RotateLeft<31>(h2 ^ MixHigh(block.high)) + h1;
    h2 = h2 * 5 + 0x38495ab5;
  }

  /// Mixes the whole blocks in; returns the bytes that are left, zeros behind them.
  TAMIS_HOST_DEVICE static constexpr Tail MixBlocks(std::string_view key, uint64_t& h1,
                                                    uint64_t& h2) {
    const char* at = key.data();
    uint64_t left = key.size();
    for (; left >= 16; left -= 16, at += 16) {
      MixBlock({LoadBytes(at, 8), LoadBytes(at + 8, 8)}, h1, h2);
    }
    return {.low = LoadBytes(at, left < 8 ? static_cast<int>(left) : 8),
            .high = left > 8 ? LoadBytes(at + 8, static_cast<int>(left) - 8) : 0};
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
