#include "single_key.h"

#include <atomic>
#include <type_traits>

namespace tamis {

namespace {

// Calls f with the key's bits as three things: the variant, the words of its block (or of all of a
// classic filter), and what picks the bits among them.
template <typename Byte, typename F>
bool At(const Spec& spec, Byte* bits, const KeyHash& hash, F&& f) {
  return VisitVariant(spec.variant, [&]<typename V>(V variant) {
    using Word =
        std::conditional_t<std::is_const_v<Byte>, const typename V::Word, typename V::Word>;
    auto* words = reinterpret_cast<Word*>(bits);
    if constexpr (V::kBlocked) {
      const Place at = Locate(hash.words[0], static_cast<uint32_t>(spec.blocks));
      return f(variant, words + uint64_t{at.block} * V::kWords, at.low);
    } else {
      bool result = false;
      VisitProbe(spec.probe, [&]<class P>(P) {
        const typename P::template Walk<uint64_t> walk(hash.words, BitRange(spec.m));
        result = f(variant, words, walk);
      });
      return result;
    }
  });
}

}  // namespace

bool MarkKey(const Spec& spec, std::byte* bits, const KeyHash& hash) {
  return At(spec, bits, hash,
            [&]<typename V>(V, auto* words, auto which) { return V::Mark(words, which, spec.k); });
}

// The order of the bits against other memory is no concern here: what a thread learns from a key's
// being there, it learns from the caller.
bool MarkKeyShared(const Spec& spec, std::byte* bits, const KeyHash& hash) {
  const Place at = Locate(hash.words[0], static_cast<uint32_t>(spec.blocks));
  const uint64_t mask = RegisterBlocked::Mask(at.low, spec.k);
  const std::atomic_ref word(reinterpret_cast<uint64_t*>(bits)[at.block]);
  // A key that is there leaves the line as other processors have it.
  if ((word.load(std::memory_order_relaxed) & mask) == mask) return false;
  return (word.fetch_or(mask, std::memory_order_relaxed) & mask) != mask;
}

bool TestKey(const Spec& spec, const std::byte* bits, const KeyHash& hash) {
  if (spec.variant == Variant::kRegisterBlocked) {  // MarkKeyShared may be at work on it
    const Place at = Locate(hash.words[0], static_cast<uint32_t>(spec.blocks));
    const uint64_t mask = RegisterBlocked::Mask(at.low, spec.k);
    // Only loads; the reference takes no const word before C++26.
    auto* words = reinterpret_cast<uint64_t*>(const_cast<std::byte*>(bits));
    const std::atomic_ref word(words[at.block]);
    return (word.load(std::memory_order_relaxed) & mask) == mask;
  }
  return At(spec, bits, hash, [&]<typename V>(V, const auto* words, auto which) {
    return V::Test(words, which, spec.k);
  });
}

}  // namespace tamis
