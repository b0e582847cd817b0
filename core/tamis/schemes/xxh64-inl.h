// XXH64 (tamis/hash.h). A second word is XXH64 with another seed.
struct Xxh64Hash {
  static constexpr uint32_t kId = 1;
  static constexpr std::string_view kName = "xxh64";
  static constexpr int kWords = 2;
  static constexpr int kBits = 128;
  static constexpr bool kSeeded = true;
  static constexpr bool kKeyed = false;

  /// Seed of the second word, by the first one's.
  TAMIS_HOST_DEVICE static constexpr uint64_t SecondSeed(uint64_t seed) {
    return seed + 0x9e3779b97f4a7c15;
  }

  TAMIS_HOST_DEVICE static constexpr void Of(std::string_view key, const HashSeed& seed, int words,
                                             uint64_t* hash) {
    hash[0] = Xxh64(key, seed.seed);
    if (words > 1) hash[1] = Xxh64(key, SecondSeed(seed.seed));
  }

  template <class U>
  TAMIS_HOST_DEVICE static constexpr void Of8(U key, const HashSeed& seed, int words, U* hash) {
    hash[0] = Single(key, seed.seed);
    if (words > 1) hash[1] = Single(key, SecondSeed(seed.seed));
  }

 private:
  template <class U>
  TAMIS_HOST_DEVICE static constexpr U Single(U key, uint64_t seed) {
    const U round = RotateLeft<31>(key * U(xxh64::kPrime2)) * U(xxh64::kPrime1);
    U hash = U(seed + xxh64::kPrime5 + 8) ^ round;
    hash = RotateLeft<27>(hash) * U(xxh64::kPrime1) + U(xxh64::kPrime4);
    hash = (hash ^ ShiftRight<33>(hash)) * U(xxh64::kPrime2);
    hash = (hash ^ ShiftRight<29>(hash)) * U(xxh64::kPrime3);
    return hash ^ ShiftRight<32>(hash);
  }
};
