// SipHash-2-4 (Aumasson, Bernstein: SipHash: a fast short-input PRF, 2012) under a secret key of
// 128 bits, so that nobody without it can make keys that collide. One word is the hash of 64 bits,
// two are that of 128 bits of the reference code.
struct SipHash24 {
  static constexpr uint32_t kId = 5;
  static constexpr std::string_view kName = "siphash_2_4";
  static constexpr int kWords = 2;
  static constexpr int kBits = 128;
  static constexpr bool kSeeded = false;
  static constexpr bool kKeyed = true;

  TAMIS_HOST_DEVICE static constexpr void Of(std::string_view key, const HashSeed& seed, int words,
                                             uint64_t* hash) {
    State<uint64_t> state(seed, words);
    const char* at = key.data();
    uint64_t left = key.size();
    for (; left >= 8; left -= 8, at += 8) state.Add(LoadBytes(at, 8));
    state.Add(LoadBytes(at, static_cast<int>(left)) | (uint64_t{key.size() & 0xff} << 56));
    state.Finish(words, hash);
  }

  template <class U>
  TAMIS_HOST_DEVICE static constexpr void Of8(U key, const HashSeed& seed, int words, U* hash) {
    State<U> state(seed, words);
    state.Add(key);
    state.Add(U(uint64_t{8} << 56));
    state.Finish(words, hash);
  }

 private:
  template <class U>
  struct State {
    U v0;
    U v1;
    U v2;
    U v3;

    TAMIS_HOST_DEVICE constexpr State(const HashSeed& seed, int words)
        : v0(U(seed.secret[0] ^ 0x736f6d6570736575)),
          v1(U(seed.secret[1] ^ 0x646f72616e646f6d ^ (words > 1 ? 0xee : 0))),
          v2(U(seed.secret[0] ^ 0x6c7967656e657261)),
          v3(U(seed.secret[1] ^ 0x7465646279746573)) {}

    TAMIS_HOST_DEVICE constexpr void Rounds(int count) {
      for (int i = 0; i < count; ++i) {
        v0 = v0 + v1;
        v2 = v2 + v3;
        v1 = RotateLeft<13>(v1) ^ v0;
        v3 = RotateLeft<16>(v3) ^ v2;
        v0 = RotateLeft<32>(v0);
        v2 = v2 + v1;
        v0 = v0 + v3;
        v1 = RotateLeft<17>(v1) ^ v2;
        v3 = RotateLeft<21>(v3) ^ v0;
        v2 = RotateLeft<32>(v2);
      }
    }
    TAMIS_HOST_DEVICE constexpr void Add(U word) {
      v3 = v3 ^ word;
      Rounds(2);
      v0 = v0 ^ word;
    }
    TAMIS_HOST_DEVICE constexpr void Finish(int words, U* hash) {
      v2 = v2 ^ U(words > 1 ? 0xee : 0xff);
      Rounds(4);
      hash[0] = v0 ^ v1 ^ v2 ^ v3;
      if (words == 1) return;
      v1 = v1 ^ U(0xdd);
      Rounds(4);
      hash[1] = v0 ^ v1 ^ v2 ^ v3;
    }
  };
};
