#include "single_key.h"

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

bool TestKey(const Spec& spec, const std::byte* bits, const KeyHash& hash) {
  return At(spec, bits, hash, [&]<typename V>(V, const auto* words, auto which) {
    return V::Test(words, which, spec.k);
  });
}

}  // namespace tamis
