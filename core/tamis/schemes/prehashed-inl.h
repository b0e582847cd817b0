// Keys that are hashes already, taken as they are: 8 bytes, a little-endian number, or 16 bytes,
// two of them. An Engine takes no others. Of keys of 8 bytes a second word is the first one mixed,
// and adds no freedom.
struct PrehashedHash {
  static constexpr uint32_t kId = 6;
  static constexpr std::string_view kName = "prehashed";
  static constexpr int kWords = 2;
  static constexpr int kBits = 64;
  static constexpr bool kSeeded = false;
  static constexpr bool kKeyed = false;

  TAMIS_HOST_DEVICE static constexpr void Of(std::string_view key, const HashSeed& seed, int words,
                                             uint64_t* hash) {
    Of8(Word(key, 0), seed, words, hash);
    if (words > 1 && key.size() > 8) hash[1] = Word(key, 8);
  }

  template <class U>
  TAMIS_HOST_DEVICE static constexpr void Of8(U key, const HashSeed& /*seed*/, int words, U* hash) {
    hash[0] = key;
    if (words > 1) hash[1] = Murmur3Finish(key);
  }

 private:
  TAMIS_HOST_DEVICE static constexpr uint64_t Word(std::string_view key, uint64_t at) {
    const uint64_t left = key.size() > at ? key.size() - at : 0;
    return LoadBytes(key.data() + at, left < 8 ? static_cast<int>(left) : 8);
  }
};
