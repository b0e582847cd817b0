// Answers of an owner, who sees only some of the keys: answers come in the order of the owned keys
// and have to go back to where those stand in the batch.
//
// The bits that tell which keys are owned are written into the answers' own memory, word by word as
// keys are hashed; as answers arrive, each word is replaced by the bits deposited into its ones
// (pdep). No other memory is needed.

#if defined(TAMIS_SIMD_DEPOSIT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TAMIS_SIMD_DEPOSIT_INL_H_
#undef TAMIS_SIMD_DEPOSIT_INL_H_
#else
#define TAMIS_SIMD_DEPOSIT_INL_H_
#endif

#include <bit>
#include <cstdint>

#include "hwy/highway.h"

#if HWY_ARCH_X86_64
#include <immintrin.h>
#endif

HWY_BEFORE_NAMESPACE();
namespace tamis::simd::HWY_NAMESPACE {

// The lowest bits of `bits`, moved to where `mask` has ones.
HWY_INLINE uint64_t DepositBits(uint64_t bits, uint64_t mask) {
#if HWY_ARCH_X86_64 && HWY_TARGET <= HWY_AVX2
  return _pdep_u64(bits, mask);
#else
  uint64_t result = 0;
  for (; mask != 0; mask &= mask - 1, bits >>= 1) {
    if ((bits & 1) != 0) result |= mask & (~mask + 1);
  }
  return result;
#endif
}

class Deposit {
 public:
  // `answers`: 8-byte aligned, whole 64-bit words; or null if nobody wants them.
  explicit Deposit(uint8_t* answers) : next_(reinterpret_cast<uint64_t*>(answers)), end_(next_) {}

  // Room for the owned-bits of `count` more keys.
  uint64_t* Extend(size_t count) {
    if (end_ == nullptr) return nullptr;
    uint64_t* room = end_;
    end_ += (count + 63) / 64;
    return room;
  }

  // The next `count` (at most 64) answers of owned keys. Bits past `count` are 0.
  void Put(uint64_t word, size_t count) {
    if (next_ == nullptr) return;
    // held_ has the answers not yet placed, lowest first; those that find no room follow in `word`.
    held_ |= word << held_count_;
    uint64_t spilled = held_count_ == 0 ? 0 : word >> (64 - held_count_);
    size_t total = held_count_ + count;
    for (; next_ != end_; ++next_) {
      const auto wanted = static_cast<size_t>(std::popcount(*next_));
      if (wanted > total) break;
      *next_ = DepositBits(held_, *next_);
      total -= wanted;
      held_ = wanted == 64 ? spilled : (held_ >> wanted) | (spilled << 1 << (63 - wanted));
      spilled = wanted == 64 ? 0 : spilled >> wanted;
    }
    held_count_ = total;
  }

 private:
  uint64_t* next_;  // first word that still has owned-bits
  uint64_t* end_;
  uint64_t held_ = 0;
  size_t held_count_ = 0;  // below 64: whenever 64 answers are here, the next word can take its own
};

}  // namespace tamis::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TAMIS_SIMD_DEPOSIT_INL_H_
