// XXH3 by the xxHash library, which is its definition here: 64 bits for one word, 128 for two.
// Keys of 8 bytes take a short path, written from the specification,
// https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md.
struct Xxh3Hash {
  static constexpr uint32_t kId = 2;
  static constexpr std::string_view kName = "xxh3";
  static constexpr int kWords = 2;
  static constexpr int kBits = 128;
  static constexpr bool kSeeded = true;
  static constexpr bool kKeyed = false;

  static void Of(std::string_view key, const HashSeed& seed, int words, uint64_t* hash) {
    LibraryXxh3(key, seed.seed, words, hash);
  }

  template <class U>
  TAMIS_HOST_DEVICE static constexpr void Of8(U key, const HashSeed& seed, int words, U* hash) {
    if (words == 1) {
      hash[0] = Of8Short(key, Salted(seed.seed));
    } else {
      Of8Long(key, Salted(seed.seed), hash);
    }
  }

 private:
  // The seed, with its low half's bytes, reversed, XORed onto its high half.
  TAMIS_HOST_DEVICE static constexpr uint64_t Salted(uint64_t seed) {
    uint64_t reversed = 0;
    for (int i = 0; i < 4; ++i) reversed |= ((seed >> (8 * i)) & 0xff) << (56 - 8 * i);
    return seed ^ reversed;
  }

  // Constants are parts of the default secret: bytes 8 to 15 XOR 16 to 23, and 16 to 23 XOR 24
  // to 31.
  template <class U>
  TAMIS_HOST_DEVICE static constexpr U Of8Short(U key, uint64_t seed) {
    constexpr uint64_t kFlip = 0xc73ab174c5ecd5a2;
    constexpr uint64_t kFactor = 0x9fb21c651e98df25;
    U mixed = RotateLeft<32>(key) ^ U(kFlip - seed);
    mixed = mixed ^ RotateLeft<49>(mixed) ^ RotateLeft<24>(mixed);
    mixed = mixed * U(kFactor);
    mixed = mixed ^ (ShiftRight<35>(mixed) + U(8));
    mixed = mixed * U(kFactor);
    return mixed ^ ShiftRight<28>(mixed);
  }

  template <class U>
  TAMIS_HOST_DEVICE static constexpr void Of8Long(U key, uint64_t seed, U* hash) {
    constexpr uint64_t kFlip = 0xc4f023344dc994ac;
    constexpr uint64_t kFactor = 0x9fb21c651e98df25;
    const U keyed = key ^ U(kFlip + seed);
    const U factor = U(xxh64::kPrime1 + (uint64_t{8} << 2));
    U low = keyed * factor;
    U high = MulHigh(keyed, factor);
    high = high + ShiftLeft<1>(low);
    low = low ^ ShiftRight<3>(high);
    low = low ^ ShiftRight<35>(low);
    low = low * U(kFactor);
    hash[0] = low ^ ShiftRight<28>(low);
    high = (high ^ ShiftRight<37>(high)) * U(0x165667919e3779f9);
    hash[1] = high ^ ShiftRight<32>(high);
  }
};
