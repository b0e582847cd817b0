// Double hashing over two words, in 64-bit arithmetic that wraps around:
//
//   position i = ((x + i * y) & mask) mod m,  x = word 0,  y = word 1
//
//   guava_mitz_64   Guava's strategy 1, MURMUR128_MITZ_64, over both halves of murmur3_x64_128: the
//                   sign bit is left out. (Strategy 0 is pair_32 over the first half.)
//   redis_double    RedisBloom's, over redis_murmur2: all bits
template <uint64_t kMask>
struct DoubleHashing {
  static constexpr int kWords = 2;
  static constexpr bool kModulo = true;

  template <class U>
  class Walk {
   public:
    TAMIS_HOST_DEVICE constexpr Walk(const U* words, const BitRange& range)
        : range_(range), c_(words[0]), step_(words[1]) {}

    TAMIS_HOST_DEVICE constexpr U Next() {
      const U position = Mod(c_ & U(kMask), range_);
      c_ = c_ + step_;
      return position;
    }

   private:
    BitRange range_;
    U c_;
    U step_;
  };
};

struct GuavaProbe : DoubleHashing<0x7fffffffffffffff> {
  static constexpr uint32_t kId = 19;
  static constexpr std::string_view kName = "guava_mitz_64";
};

struct RedisProbe : DoubleHashing<0xffffffffffffffff> {
  static constexpr uint32_t kId = 20;
  static constexpr std::string_view kName = "redis_double";
};
