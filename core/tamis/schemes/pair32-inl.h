// Positions from a hash of 64 bits that is two of 32: h1 the low half, h2 the high one. Spark and
// Guava compute with Java's signed numbers, and turn a negative one into its complement.
//
//   pair_32      Spark V1, Guava's strategy 0:   c = h1 + i * h2 in 32 bits, for i from 1
//   spark_v2     c = h1 * (2^31 - 1) in 64 bits; then c += h2
template <class U>
TAMIS_HOST_DEVICE constexpr U SignExtend32(U x) {
  return ((x & U(0xffffffff)) ^ U(0x80000000)) - U(0x80000000);
}

struct Pair32 {
  static constexpr uint32_t kId = 17;
  static constexpr std::string_view kName = "pair_32";
  static constexpr int kWords = 1;
  static constexpr bool kModulo = true;

  template <class U>
  class Walk {
   public:
    TAMIS_HOST_DEVICE constexpr Walk(const U* words, const BitRange& range)
        : range_(range), c_(words[0]), step_(ShiftRight<32>(words[0])) {}

    TAMIS_HOST_DEVICE constexpr U Next() {
      c_ = c_ + step_;
      const U low = c_ & U(0xffffffff);
      const U negative = U(0) - ShiftRight<31>(low);  // all ones if it is
      return Mod(low ^ (negative & U(0xffffffff)), range_);
    }

   private:
    BitRange range_;
    U c_;  // its low 32 bits count
    U step_;
  };
};

struct SparkV2 {
  static constexpr uint32_t kId = 18;
  static constexpr std::string_view kName = "spark_v2";
  static constexpr int kWords = 1;
  static constexpr bool kModulo = true;

  template <class U>
  class Walk {
   public:
    TAMIS_HOST_DEVICE constexpr Walk(const U* words, const BitRange& range)
        : range_(range),
          c_(SignExtend32(words[0]) * U(0x7fffffff)),
          step_(SignExtend32(ShiftRight<32>(words[0]))) {}

    TAMIS_HOST_DEVICE constexpr U Next() {
      c_ = c_ + step_;
      return Mod(c_ ^ (U(0) - ShiftRight<63>(c_)), range_);
    }

   private:
    BitRange range_;
    U c_;
    U step_;
  };
};
