// Hash schemes (a key's bytes to one or more 64-bit words) and probe schemes (words to the
// positions of a classic filter's bits): the strategies that a Spec names. Each is a type in a
// header of its own under schemes/, written once, as templates over the type U of their numbers:
// uint64_t here, a vector of them where simd/schemes-inl.h compiles the same headers for each
// instruction set. So those headers have no include guards, and include nothing.
//
// A hash scheme has
//   kId, kName       stand in files; an id is never reused
//   kWords           words that it can give at most: 1, 2 or 4
//   kBits            of them, taken together, that differ freely: it bounds the rate from below
//   kSeeded, kKeyed  whether it takes a seed (else that must be 0), and a secret key
//   Of(key, seed, words, hash)    the first `words` words for any bytes
//   Of8(key, seed, words, hash)   the same for the 8 bytes of a little-endian number; if it has
//                                 one, 64-bit keys are hashed in lanes
// and a probe scheme
//   kId, kName
//   kWords           words that it takes
//   kModulo          whether it brings numbers that know no size into the range by Mod(), else by
//                    Scale(): what tamis/fold.h goes by
//   Walk<U>          made from those words and a BitRange; Next() is called k times and gives the
//                    positions, one after the other
//
// To add one: its header, and its place in schemes/all-inl.h.
#ifndef TAMIS_SCHEMES_H_
#define TAMIS_SCHEMES_H_

#include <string>

#include "tamis/arithmetic.h"
#include "tamis/error.h"
#include "tamis/hash.h"
#include "tamis/spec.h"

namespace tamis {

/// A list of types.
template <class... T>
struct Types {
  static constexpr size_t kCount = sizeof...(T);

  /// Calls f(T{}) with the type whose kId is `id`. False if there is none.
  template <class F>
  static constexpr bool Visit(uint32_t id, F&& f) {
    return ((T::kId == id && (f(T{}), true)) || ...);
  }
  /// Calls f(T{}) with each type in turn.
  template <class F>
  static constexpr void ForEach(F&& f) {
    (f(T{}), ...);
  }
};

#include "tamis/schemes/all-inl.h"

/// Calls f with the scheme's type. Throws InvalidArgument for a value that is none.
template <class F>
void VisitHash(HashScheme hash, F&& f) {
  const auto id = static_cast<uint32_t>(hash);
  if (!HashSchemes::Visit(id, f)) {
    throw InvalidArgument("unknown hash scheme " + std::to_string(id));
  }
}
template <class F>
void VisitProbe(ProbeScheme probe, F&& f) {
  const auto id = static_cast<uint32_t>(probe);
  if (!ProbeSchemes::Visit(id, f)) {
    throw InvalidArgument("unknown probe scheme " + std::to_string(id));
  }
}

/// The words of one key's hash.
struct KeyHash {
  uint64_t words[kMaxHashWords] = {};
};

/// The hash of a key of a filter with this Spec: the first spec.hash_words() words.
KeyHash HashOf(const Spec& spec, std::string_view key);
KeyHash HashOf(const Spec& spec, uint64_t key);

}  // namespace tamis

#endif  // TAMIS_SCHEMES_H_
