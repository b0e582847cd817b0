#include "fold_bits.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace tamis {

namespace {

constexpr uint64_t WordsOf(uint64_t bits) { return bits / 64 + (bits % 64 != 0); }

// The lowest `bits` bits (1 to 64) of a word.
constexpr uint64_t LowBits(uint64_t bits) { return ~uint64_t{0} >> (64 - bits); }

// A classic filter's bits as they are, and zeros behind them.
class BitView {
 public:
  BitView(const uint64_t* words, uint64_t bits) : words_(words), count_(WordsOf(bits)) {}

  uint64_t Word(uint64_t i) const { return i < count_ ? words_[i] : 0; }
  /// The 64 bits from `bit` on.
  uint64_t From(uint64_t bit) const {
    const uint64_t word = bit / 64;
    const uint64_t shift = bit % 64;
    return Word(word) >> shift | Word(word + 1) << 1 << (63 - shift);
  }
  bool Any(uint64_t begin, uint64_t end) const {
    for (; end - begin > 64; begin += 64) {
      if (From(begin) != 0) return true;
    }
    return (From(begin) & LowBits(end - begin)) != 0;
  }

 private:
  const uint64_t* words_;
  uint64_t count_;
};

// Pairs of bits ORed, in the low half.
constexpr uint64_t HalveWord(uint64_t x) {
  x = (x | x >> 1) & 0x5555555555555555;
  x = (x | x >> 1) & 0x3333333333333333;
  x = (x | x >> 2) & 0x0f0f0f0f0f0f0f0f;
  x = (x | x >> 4) & 0x00ff00ff00ff00ff;
  x = (x | x >> 8) & 0x0000ffff0000ffff;
  return (x | x >> 16) & 0x00000000ffffffff;
}

// 2^halvings words from `word` on, in one.
uint64_t HalvedWord(const BitView& from, uint64_t word, int halvings) {
  if (halvings == 0) return from.Word(word);
  const uint64_t half = uint64_t{1} << (halvings - 1);
  return HalveWord(HalvedWord(from, word, halvings - 1)) |
         HalveWord(HalvedWord(from, word + half, halvings - 1)) << 32;
}

void Halve(const BitView& from, uint64_t* to, uint64_t bits, int halvings) {
  for (uint64_t i = 0; i < WordsOf(bits); ++i) {
    to[i] = HalvedWord(from, i << halvings, halvings);
  }
}

}  // namespace

void FoldNeighbours(const uint64_t* from, uint64_t* to, uint64_t bits, uint64_t factor) {
  const int halvings = std::countr_zero(factor);
  const uint64_t odd = factor >> halvings;
  const BitView large(from, bits * factor);
  if (odd == 1) {
    Halve(large, to, bits, halvings);
    return;
  }
  std::vector<uint64_t> halved;  // first, since the rest goes by single bits
  if (halvings != 0) {
    halved.resize(WordsOf(bits * odd));
    Halve(large, halved.data(), bits * odd, halvings);
  }
  const BitView view = halvings == 0 ? large : BitView(halved.data(), bits * odd);
  uint64_t first = 0;
  for (uint64_t i = 0; i < WordsOf(bits); ++i) {
    uint64_t word = 0;
    for (uint64_t bit = 0; bit < std::min<uint64_t>(64, bits - 64 * i); ++bit, first += odd) {
      word |= uint64_t{view.Any(first, first + odd)} << bit;
    }
    to[i] = word;
  }
}

void FoldRemainders(const uint64_t* from, uint64_t* to, uint64_t bits, uint64_t factor) {
  constexpr uint64_t kTile = 2048;  // words of the result that stay in cache
  const BitView large(from, bits * factor);
  const uint64_t last = WordsOf(bits) - 1;  // it may begin what is another word's in the next part
  for (uint64_t begin = 0; begin < last; begin += kTile) {
    const uint64_t end = std::min(begin + kTile, last);
    for (uint64_t part = 0; part < factor; ++part) {
      const uint64_t shift = part * bits % 64;
      const uint64_t* at = from + part * bits / 64;
      if (shift == 0) {
        for (uint64_t i = begin; i < end; ++i) to[i] |= at[i];
      } else {
        for (uint64_t i = begin; i < end; ++i) to[i] |= at[i] >> shift | at[i + 1] << (64 - shift);
      }
    }
  }
  for (uint64_t part = 0; part < factor; ++part) {
    to[last] |= large.From(part * bits + last * 64) & LowBits(bits - last * 64);
  }
}

}  // namespace tamis
