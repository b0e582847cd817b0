// Spark's Murmur3_x86_32 (org.apache.spark.util.sketch): MurmurHash3_x86_32, but for the tail,
// whose bytes it mixes one by one, each a signed number and as if it were a whole block. The second
// hash takes the first as its seed; together they are one word, the second the high half.
struct SparkMurmur3 {
  static constexpr uint32_t kId = 17;
  static constexpr std::string_view kName = "spark_murmur3";
  static constexpr int kWords = 1;
  static constexpr int kBits = 64;
  static constexpr bool kSeeded = true;  // V2 has one, of 32 bits
  static constexpr bool kKeyed = false;

  TAMIS_HOST_DEVICE static constexpr void Of(std::string_view key, const HashSeed& seed,
                                             int /*words*/, uint64_t* hash) {
    const uint32_t first = Hash(key, static_cast<uint32_t>(seed.seed));
    hash[0] = first | uint64_t{Hash(key, first)} << 32;
  }

  template <class U>
  TAMIS_HOST_DEVICE static constexpr void Of8(U key, const HashSeed& seed, int /*words*/, U* hash) {
    const U first = Hash8(key, U(seed.seed));
    hash[0] = first | ShiftLeft<32>(Hash8(key, first));
  }

 private:
  // 32-bit arithmetic in numbers of 64 bits, whose high halves are zeros before and after.
  static constexpr uint64_t kLow = 0xffffffff;

  template <int kBits, class U>
  TAMIS_HOST_DEVICE static constexpr U Rotate32(U x) {
    return (ShiftLeft<kBits>(x) | ShiftRight<32 - kBits>(x)) & U(kLow);
  }
  template <class U>
  TAMIS_HOST_DEVICE static constexpr U Mix8(U h, U k) {
    k = Rotate32<15>((k * U(0xcc9e2d51)) & U(kLow));
    h = Rotate32<13>(h ^ ((k * U(0x1b873593)) & U(kLow)));
    return (h * U(5) + U(0xe6546b64)) & U(kLow);
  }
  template <class U>
  TAMIS_HOST_DEVICE static constexpr U Hash8(U key, U h) {
    h = Mix8(Mix8(h, key & U(kLow)), ShiftRight<32>(key)) ^ U(8);
    h = ((h ^ ShiftRight<16>(h)) * U(0x85ebca6b)) & U(kLow);
    h = ((h ^ ShiftRight<13>(h)) * U(0xc2b2ae35)) & U(kLow);
    return h ^ ShiftRight<16>(h);
  }

  TAMIS_HOST_DEVICE static constexpr uint32_t Mix(uint32_t h, uint32_t k) {
    k = std::rotl(k * 0xcc9e2d51U, 15) * 0x1b873593U;
    return std::rotl(h ^ k, 13) * 5 + 0xe6546b64U;
  }

  TAMIS_HOST_DEVICE static constexpr uint32_t Hash(std::string_view key, uint32_t h) {
    size_t at = 0;
    for (; at + 4 <= key.size(); at += 4) {
      h = Mix(h, static_cast<uint32_t>(LoadBytes(key.data() + at, 4)));
    }
    for (; at < key.size(); ++at) {
      const auto byte = static_cast<unsigned char>(key[at]);
      h = Mix(h, byte | (byte < 0x80 ? 0U : 0xffffff00U));
    }
    h ^= static_cast<uint32_t>(key.size());
    h = (h ^ (h >> 16)) * 0x85ebca6bU;
    h = (h ^ (h >> 13)) * 0xc2b2ae35U;
    return h ^ (h >> 16);
  }
};
