#include "layers.h"

#include <algorithm>
#include <string>

#include "tamis/answers.h"

namespace tamis {

namespace {

std::string ToString(const Plan& plan) {
  return "[" + ToString(plan.spec) + " for " + std::to_string(plan.capacity) + " keys at rate " +
         std::to_string(plan.fpr) + "]";
}

}  // namespace

void KeepAbsent(const Engine& engine, std::span<const Filter> layers, const Spec& hash,
                const Keys& piece, Candidates& left) {
  left.Start(engine, hash, piece);
  for (size_t i = layers.size(); i-- > 0;) left.DropPresent(engine, layers[i], 0);
}

uint64_t InsertFirst(Engine& engine, Filter& layer, Candidates& left, uint64_t count, uint8_t* out,
                     uint64_t first) {
  const uint64_t fresh = engine.InsertNew(layer, left.First(count), left.answers);
  for (uint64_t i = 0; out != nullptr && i < count; ++i) {
    if (AnswerAt(left.answers.data(), i)) SetAnswer(out, first + left.indices[i], true);
  }
  left.DropPresent(engine, layer, count);
  return fresh;
}

uint64_t ContainsInAny(const Engine& engine, std::span<const Filter> layers, const Spec& hash,
                       const Keys& keys, std::span<uint8_t> answers, Candidates& left) {
  uint8_t* out = CheckedAnswers(answers, keys.size());
  if (out != nullptr) FillAnswers(out, keys.size(), true);
  uint64_t present = 0;
  for (uint64_t first = 0; first < keys.size(); first += kFamilyPiece) {
    const Keys piece = keys.Slice(first, std::min(kFamilyPiece, keys.size() - first));
    KeepAbsent(engine, layers, hash, piece, left);
    present += piece.size() - left.size();
    if (out == nullptr) continue;
    for (const uint32_t index : left.indices) SetAnswer(out, first + index, false);
  }
  return present;
}

uint64_t InsertedInAll(std::span<const Filter> layers) {
  uint64_t sum = 0;
  for (const Filter& layer : layers) sum += layer.inserted();
  return sum;
}

uint64_t BytesOfAll(std::span<const Filter> layers) {
  uint64_t sum = 0;
  for (const Filter& layer : layers) sum += layer.spec().bytes();
  return sum;
}

Plan PlanOfLayer(uint64_t capacity, double fpr, const PlanOptions& options) {
  Plan plan = PlanFor(capacity, fpr, options);
  constexpr uint64_t kFineness = 256;
  const bool own = plan.spec.probe == ProbeScheme::kEnhancedDouble;
  while (own && ExpectedFpr(plan.spec, plan.capacity) > plan.fpr) {
    plan.spec.m += plan.spec.m / kFineness + 1;
  }
  return plan;
}

void RequireLayer(const Filter& layer, size_t i, Plan expected, const PlanOptions& options,
                  const std::string& family) {
  expected.spec.blocks = layer.spec().blocks;
  expected.spec.m = layer.spec().m;
  if (options.k == 0) expected.spec.k = layer.spec().k;
  if (layer.plan() == expected) return;
  throw InvalidArgument("layer " + std::to_string(i) + " is " + ToString(layer.plan()) +
                        ", where " + family + " makes " + ToString(expected));
}

}  // namespace tamis
