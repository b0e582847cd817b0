// Guava's strategy 1, MURMUR128_MITZ_64: double hashing over both halves of murmur3_x64_128, the
// sign bit left out of each position. (Strategy 0 is pair_32 over the first half.)
struct GuavaProbe {
  static constexpr uint32_t kId = 19;
  static constexpr std::string_view kName = "guava_mitz_64";
  static constexpr int kWords = 2;

  template <class U>
  class Walk {
   public:
    TAMIS_HOST_DEVICE constexpr Walk(const U* words, const BitRange& range)
        : range_(range), c_(words[0]), step_(words[1]) {}

    TAMIS_HOST_DEVICE constexpr U Next() {
      const U position = Mod(c_ & U(0x7fffffffffffffff), range_);
      c_ = c_ + step_;
      return position;
    }

   private:
    BitRange range_;
    U c_;
    U step_;
  };
};
