// What families of several filters share: layers that are asked one after the other for the keys
// that none before had. Layers are of one hash scheme and seed, so that a key is hashed once.
#ifndef TAMIS_CORE_LAYERS_H_
#define TAMIS_CORE_LAYERS_H_

#include <cstdint>
#include <span>

#include "candidates.h"
#include "tamis/answers.h"
#include "tamis/engine.h"

namespace tamis {

// Keys of a batch that a family works on at a time.
inline constexpr uint64_t kFamilyPiece = uint64_t{1} << 18;

static_assert(kFamilyPiece % 8 == 0);  // so that pieces' answers begin with a byte of their own

// The part of a batch's answers that is those of `count` keys from `first`, a multiple of 8, on;
// none if nobody asks.
inline std::span<uint8_t> AnswersFrom(std::span<uint8_t> answers, uint64_t first, uint64_t count) {
  return answers.empty() ? answers : answers.subspan(first / 8, AnswerBytes(count));
}

// Leaves in `left` those keys of `piece` that no layer has. The newest layers are asked first: they
// hold most keys, or those seen last.
void KeepAbsent(const Engine& engine, std::span<const Filter> layers, const Spec& hash,
                const Keys& piece, Candidates& left);

// Puts the first `count` of `left` into `layer`, sets the answers of those that were new in `out`
// (for a batch in which the piece of `left` begins at key `first`; null if nobody asks), and leaves
// in `left` those of the others that the layer does not have now. Returns how many were new.
uint64_t InsertFirst(Engine& engine, Filter& layer, Candidates& left, uint64_t count, uint8_t* out,
                     uint64_t first);

// Engine::Contains for layers. The answers of all keys are written, if `answers` is not empty.
uint64_t ContainsInAny(const Engine& engine, std::span<const Filter> layers, const Spec& hash,
                       const Keys& keys, std::span<uint8_t> answers, Candidates& left);

// One minus the product of the layers' misses. `rate` gives a layer's.
template <typename F>
double RateOfAny(std::span<const Filter> layers, F&& rate) {
  double miss = 1;
  for (const Filter& layer : layers) miss *= 1 - rate(layer);
  return 1 - miss;
}

uint64_t InsertedInAll(std::span<const Filter> layers);
uint64_t BytesOfAll(std::span<const Filter> layers);

// PlanFor, and larger where the textbook's classic filter is a little above its rate: a sum of
// layers cannot be.
Plan PlanOfLayer(uint64_t capacity, double fpr, const PlanOptions& options);

// Throws InvalidArgument, naming layer `i` and what `family` makes, unless its plan is `expected`
// but for its size, which the layer itself tells: working it out again might differ in the last
// digit on another machine, or after a better formula.
void RequireLayer(const Filter& layer, size_t i, Plan expected, const PlanOptions& options,
                  const std::string& family);

}  // namespace tamis

#endif  // TAMIS_CORE_LAYERS_H_
