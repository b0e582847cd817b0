// FNV-1a of 64 bits (http://www.isthe.com/chongo/tech/comp/fnv). It mixes the last bytes of a key
// little, so choose it to share hashes with others, not for its quality. A second word is the first
// one mixed, and adds no freedom.
struct Fnv1aHash {
  static constexpr uint32_t kId = 4;
  static constexpr std::string_view kName = "fnv1a_64";
  static constexpr int kWords = 2;
  static constexpr int kBits = 64;
  static constexpr bool kSeeded = false;
  static constexpr bool kKeyed = false;
  static constexpr uint64_t kBasis = 0xcbf29ce484222325;
  static constexpr uint64_t kPrime = 0x100000001b3;

  TAMIS_HOST_DEVICE static constexpr void Of(std::string_view key, const HashSeed& /*seed*/,
                                             int words, uint64_t* hash) {
    uint64_t value = kBasis;
    for (const char byte : key) value = (value ^ static_cast<unsigned char>(byte)) * kPrime;
    Put(value, words, hash);
  }

  template <class U>
  TAMIS_HOST_DEVICE static constexpr void Of8(U key, const HashSeed& /*seed*/, int words, U* hash) {
    U value = U(kBasis);
    for (int i = 0; i < 8; ++i) {
      value = (value ^ (key & U(0xff))) * U(kPrime);
      key = ShiftRight<8>(key);
    }
    Put(value, words, hash);
  }

 private:
  template <class U>
  TAMIS_HOST_DEVICE static constexpr void Put(U value, int words, U* hash) {
    hash[0] = value;
    if (words > 1) hash[1] = Murmur3Finish(value);
  }
};
