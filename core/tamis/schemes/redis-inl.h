// RedisBloom's filters: MurmurHash64A (Austin Appleby's MurmurHash2 of 64 bits, public domain) with
// a fixed seed, and again with the first hash as the seed. (Its probe scheme: double-inl.h.)
struct RedisMurmur2 {
  static constexpr uint32_t kId = 18;
  static constexpr std::string_view kName = "redis_murmur2";
  static constexpr int kWords = 2;
  static constexpr int kBits = 64;  // the second follows from the key, but not freely
  static constexpr bool kSeeded = false;
  static constexpr bool kKeyed = false;
  static constexpr uint64_t kFactor = 0xc6a4a7935bd1e995;

  TAMIS_HOST_DEVICE static constexpr void Of(std::string_view key, const HashSeed& /*seed*/,
                                             int words, uint64_t* hash) {
    hash[0] = Hash(key, kFactor);
    if (words > 1) hash[1] = Hash(key, hash[0]);
  }

  template <class U>
  TAMIS_HOST_DEVICE static constexpr void Of8(U key, const HashSeed& /*seed*/, int words, U* hash) {
    hash[0] = Hash8(key, U(kFactor));
    if (words > 1) hash[1] = Hash8(key, hash[0]);
  }

 private:
  template <class U>
  TAMIS_HOST_DEVICE static constexpr U Mix(U h, U k) {
    k = k * U(kFactor);
    k = (k ^ ShiftRight<47>(k)) * U(kFactor);
    return (h ^ k) * U(kFactor);
  }
  template <class U>
  TAMIS_HOST_DEVICE static constexpr U Finish(U h) {
    h = (h ^ ShiftRight<47>(h)) * U(kFactor);
    return h ^ ShiftRight<47>(h);
  }
  template <class U>
  TAMIS_HOST_DEVICE static constexpr U Hash8(U key, U seed) {
    return Finish(Mix(seed ^ U(8 * kFactor), key));
  }
  TAMIS_HOST_DEVICE static constexpr uint64_t Hash(std::string_view key, uint64_t seed) {
    uint64_t h = seed ^ (key.size() * kFactor);
    const char* at = key.data();
    size_t left = key.size();
    for (; left >= 8; left -= 8, at += 8) h = Mix(h, LoadBytes(at, 8));
    if (left != 0) h = (h ^ LoadBytes(at, static_cast<int>(left))) * kFactor;
    return Finish(h);
  }
};
