// Keys to measure with: key number i of a kind is always the same, and no two are equal, so a
// filter of keys 0 to n - 1 knows which keys it holds without a list of them.
#ifndef TAMIS_BENCH_KEY_SET_H_
#define TAMIS_BENCH_KEY_SET_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/keys.h"

namespace tamis::bench {

/// A mixing of 64 bits that no two numbers share (the finaliser of splitmix64).
constexpr uint64_t Mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// Numbers from here on are of keys that no filter holds.
inline constexpr uint64_t kForeign = uint64_t{1} << 48;

/// The names of kinds: u64, bytes16, strings20, strings60, strings200.
inline constexpr std::string_view kKeyKinds[] = {"u64", "bytes16", "strings20", "strings60",
                                                 "strings200"};

/// Bytes of a key of that kind; throws InvalidArgument for a name that is none.
uint32_t KeyBytes(std::string_view kind);

class KeySet {
 public:
  /// Keys number_of(0) to number_of(count - 1).
  template <typename F>
  KeySet(std::string_view kind, uint64_t count, F&& number_of) : KeySet(kind, count) {
    for (uint64_t i = 0; i < count; ++i) Put(i, number_of(i));
  }
  /// Keys `first` to `first + count - 1`.
  static KeySet Range(std::string_view kind, uint64_t first, uint64_t count) {
    return KeySet(kind, count, [&](uint64_t i) { return first + i; });
  }
  /// Keys of which a share is among 0 to `held` - 1, and others are foreign, in no order.
  static KeySet Mixed(std::string_view kind, uint64_t count, uint64_t held, double hit_share,
                      uint64_t seed);

  Keys keys() const;
  uint64_t size() const { return count_; }
  /// The keys themselves, of kind u64.
  const std::vector<uint64_t>& numbers() const { return words_; }

 private:
  KeySet(std::string_view kind, uint64_t count);

  void Put(uint64_t i, uint64_t number) {
    if (bytes_ == 8) {
      words_[i] = Mix(number);
    } else {
      PutBytes(i, number);
    }
  }
  void PutBytes(uint64_t i, uint64_t number);

  uint32_t bytes_;  // of a key
  uint64_t count_;
  std::vector<uint64_t> words_;    // u64
  std::string text_;               // the others, back to back
  std::vector<uint64_t> offsets_;  // strings
};

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_KEY_SET_H_
