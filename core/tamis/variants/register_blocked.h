// One 64-bit word a key, and k bits in it: a key goes in by one OR, so by one atomic OR where
// threads share a filter without a lock. Its rate is the highest of all at a given size.
#ifndef TAMIS_VARIANTS_REGISTER_BLOCKED_H_
#define TAMIS_VARIANTS_REGISTER_BLOCKED_H_

#include <cstdint>
#include <string_view>

#include "tamis/variants/cache_line.h"

namespace tamis {

struct RegisterBlocked : OpenBlock<64> {
  static constexpr uint32_t kId = 5;  // in files; never reused
  static constexpr std::string_view kName = "register_blocked";
  static constexpr bool kBlocked = true;
  static constexpr int kMinK = 1;
  static constexpr int kUsualK = 4;

  /// All of the key's bits.
  TAMIS_HOST_DEVICE static constexpr Word Mask(uint32_t low, int k) {
    Word mask = 0;
    for (int i = 0; i < k; ++i) mask |= Word{1} << Position(low, i);
    return mask;
  }
};

}  // namespace tamis

#endif  // TAMIS_VARIANTS_REGISTER_BLOCKED_H_
