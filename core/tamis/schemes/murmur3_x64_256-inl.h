// The Go library bits-and-blooms/bloom: murmur3_x64_128 of the key, and of the key with a byte 1
// behind it; position i takes one of the first two words and i times one of the others.
struct BitsAndBloomsHash {
  static constexpr uint32_t kId = 19;
  static constexpr std::string_view kName = "bits_and_blooms";
  static constexpr int kWords = 4;
  static constexpr int kBits = 128;
  static constexpr bool kSeeded = false;
  static constexpr bool kKeyed = false;

  TAMIS_HOST_DEVICE static constexpr void Of(std::string_view key, const HashSeed& /*seed*/,
                                             int words, uint64_t* hash) {
    Murmur3X64Hash::Of(key, {}, words < 2 ? words : 2, hash);
    if (words > 2) Murmur3X64Hash::OfWithOneBehind(key, words - 2, hash + 2);
  }

  template <class U>
  TAMIS_HOST_DEVICE static constexpr void Of8(U key, const HashSeed& /*seed*/, int words, U* hash) {
    Murmur3X64Hash::Of8(key, {}, words < 2 ? words : 2, hash);
    if (words > 2) Murmur3X64Hash::Of8WithOneBehind(key, words - 2, hash + 2);
  }
};

struct BitsAndBloomsProbe {
  static constexpr uint32_t kId = 21;
  static constexpr std::string_view kName = "bits_and_blooms";
  static constexpr int kWords = 4;
  static constexpr bool kModulo = true;

  template <class U>
  class Walk {
   public:
    TAMIS_HOST_DEVICE constexpr Walk(const U* words, const BitRange& range)
        : range_(range), even_(words[0]), odd_(words[1]), step_(words[2]), other_(words[3]) {}

    // Words 0 and 1 by turns; of the steps, word 2 for the first of every four positions and the
    // last of them, word 3 between. No array, since devices index none in registers.
    TAMIS_HOST_DEVICE constexpr U Next() {
      const uint64_t i = i_++;
      const bool between = (i + 1) % 4 >= 2;
      return Mod((i % 2 == 0 ? even_ : odd_) + U(i) * (between ? other_ : step_), range_);
    }

   private:
    BitRange range_;
    U even_;
    U odd_;
    U step_;
    U other_;
    uint64_t i_ = 0;
  };
};
