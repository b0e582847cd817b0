// Enhanced double hashing (Dillinger, Manolios: Bloom Filters in Probabilistic Verification, 2004)
// over 64-bit numbers, each scaled to the range: tamis's own.
//
//   x = word 0,  y = word 1 | 1;   position i = x * m / 2^64;   x += y,  y += (i + 1) * kStep
//
// kStep is even, so y stays odd: it is never 0, and shares no factor with 2^64. It is also large:
// scaling looks at the high bits, so a small step would leave plain double hashing there, whose
// positions fall on each other whenever y is near a fraction of 2^64 with a small denominator.
struct EnhancedDouble {
  static constexpr uint32_t kId = 1;
  static constexpr std::string_view kName = "enhanced_double";
  static constexpr int kWords = 2;
  static constexpr bool kModulo = false;
  static constexpr uint64_t kStep = 0x3c6ef372fe94f82a;

  template <class U>
  class Walk {
   public:
    TAMIS_HOST_DEVICE constexpr Walk(const U* words, const BitRange& range)
        : range_(range), x_(words[0]), y_(words[1] | U(1)) {}

    TAMIS_HOST_DEVICE constexpr U Next() {
      const U position = Scale(x_, range_);
      x_ = x_ + y_;
      y_ = y_ + U(step_);
      step_ += kStep;
      return position;
    }

   private:
    BitRange range_;
    U x_;
    U y_;
    uint64_t step_ = kStep;
  };
};
