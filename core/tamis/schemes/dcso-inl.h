// DCSO's filters (https://github.com/DCSO/bloom): FNV-1 of 64 bits, which multiplies before it
// mixes a byte in, then a multiplicative walk modulo the largest prime below 2^64. Their reduction
// is done after the product has wrapped around 2^64, so one subtraction is all of it.
struct Fnv1Dcso {
  static constexpr uint32_t kId = 16;
  static constexpr std::string_view kName = "fnv1_64_dcso";
  static constexpr int kWords = 1;
  static constexpr int kBits = 64;
  static constexpr bool kSeeded = false;
  static constexpr bool kKeyed = false;
  static constexpr uint64_t kBasis = 0xcbf29ce484222325;
  static constexpr uint64_t kPrime = 0x100000001b3;
  static constexpr uint64_t kModulus = 0xffffffffffffffc5;  // 2^64 - 59

  TAMIS_HOST_DEVICE static constexpr void Of(std::string_view key, const HashSeed& /*seed*/,
                                             int /*words*/, uint64_t* hash) {
    uint64_t value = kBasis;
    for (const char byte : key) value = (value * kPrime) ^ static_cast<unsigned char>(byte);
    hash[0] = SubtractOnce(value, kModulus);
  }

  template <class U>
  TAMIS_HOST_DEVICE static constexpr void Of8(U key, const HashSeed& /*seed*/, int /*words*/,
                                              U* hash) {
    U value = U(kBasis);
    for (int i = 0; i < 8; ++i) {
      value = (value * U(kPrime)) ^ (key & U(0xff));
      key = ShiftRight<8>(key);
    }
    hash[0] = SubtractOnce(value, kModulus);
  }
};

struct DcsoProbe {
  static constexpr uint32_t kId = 16;
  static constexpr std::string_view kName = "dcso";
  static constexpr int kWords = 1;
  static constexpr bool kModulo = true;
  static constexpr uint64_t kFactor = 0xfffffffffffffa43;  // 2^64 - 1469

  template <class U>
  class Walk {
   public:
    TAMIS_HOST_DEVICE constexpr Walk(const U* words, const BitRange& range)
        : range_(range), x_(words[0]) {}

    TAMIS_HOST_DEVICE constexpr U Next() {
      x_ = SubtractOnce(x_ * U(kFactor), Fnv1Dcso::kModulus);
      return Mod(x_, range_);
    }

   private:
    BitRange range_;
    U x_;
  };
};
