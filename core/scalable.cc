// Growing filters: the layers, and the engine's verbs on them.
//
// InsertNew on a piece of a batch, in words: hash it; ask the layers, newest first, and keep the
// keys that none has ("candidates", in order); put the first of them, at most as many as the last
// layer has room for, into that layer; if candidates are left, the layer may be full, so ask again
// for the rest. A layer is opened only when a candidate has no room, which is then new for certain.
// So the cut between layers depends on the order of keys alone, not on how they were batched.

#include "tamis/scalable.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "candidates.h"
#include "tamis/engine.h"

namespace tamis {

namespace {

constexpr uint64_t kPiece = 1 << 18;

std::string ToString(const Plan& plan) {
  return "[" + ToString(plan.spec) + " for " + std::to_string(plan.capacity) + " keys at rate " +
         std::to_string(plan.fpr) + "]";
}

}  // namespace

ScalableFilter::ScalableFilter(uint64_t first_capacity, double fpr, const PlanOptions& options)
    : first_capacity_(std::max<uint64_t>(first_capacity, 1)), fpr_(fpr), options_(options) {
  RequireRate(fpr);  // of the whole, before it is halved
  AddLayer();
}

ScalableFilter::ScalableFilter(uint64_t first_capacity, double fpr, const PlanOptions& options,
                               std::vector<Filter> layers)
    : first_capacity_(first_capacity), fpr_(fpr), options_(options), layers_(std::move(layers)) {
  RequireRate(fpr);
  if (first_capacity == 0) throw InvalidArgument("a scalable filter of first capacity 0");
  if (layers_.empty() || layers_.size() > kMaxLayers) {
    throw InvalidArgument("a scalable filter of " + std::to_string(layers_.size()) +
                          " layers: it has 1 to " + std::to_string(kMaxLayers));
  }
  for (size_t i = 0; i < layers_.size(); ++i) {
    // All but its size, which the layer itself tells: working it out again might differ in the last
    // digit on another machine, or after a better formula.
    Plan expected = PlanOfLayer(i);
    expected.spec.blocks = layers_[i].spec().blocks;
    expected.spec.m = layers_[i].spec().m;
    if (options_.k == 0) expected.spec.k = layers_[i].spec().k;
    if (layers_[i].plan() != expected) {
      throw InvalidArgument("layer " + std::to_string(i) + " is " + ToString(layers_[i].plan()) +
                            ", where growing from " + std::to_string(first_capacity) +
                            " keys makes " + ToString(expected));
    }
    const uint64_t capacity = layers_[i].plan().capacity;
    const uint64_t inserted = layers_[i].inserted();
    if (inserted > capacity || (inserted < capacity && i + 1 < layers_.size())) {
      throw InvalidArgument("layer " + std::to_string(i) + " of " + std::to_string(layers_.size()) +
                            " holds " + std::to_string(inserted) + " of " +
                            std::to_string(capacity) +
                            " keys: every layer but the last is full, none is more");
    }
  }
}

Plan ScalableFilter::PlanOfLayer(size_t i) const {
  uint64_t capacity = first_capacity_;
  bool fits = i < kMaxLayers && options_.growth >= 1;
  for (size_t j = 0; fits && j < i; ++j) {
    fits = capacity <= UINT64_MAX / options_.growth;
    capacity *= options_.growth;
  }
  if (!fits) {
    throw InvalidArgument("layer " + std::to_string(i) + " of a scalable filter: the limit is " +
                          std::to_string(kMaxLayers) + " layers and 2^64 keys");
  }
  Plan plan = PlanFor(capacity, fpr_ * std::pow(kTighten, static_cast<double>(i + 1)), options_);
  // The textbook's classic filter is a little above its rate; a sum of layers cannot be.
  constexpr uint64_t kFineness = 256;
  const bool own = plan.spec.probe == ProbeScheme::kEnhancedDouble;
  while (own && tamis::ExpectedFpr(plan.spec, plan.capacity) > plan.fpr) {
    plan.spec.m += plan.spec.m / kFineness + 1;
  }
  return plan;
}

void ScalableFilter::AddLayer() { layers_.emplace_back(PlanOfLayer(layers_.size())); }

uint64_t ScalableFilter::inserted() const {
  uint64_t sum = 0;
  for (const Filter& layer : layers_) sum += layer.inserted();
  return sum;
}

uint64_t ScalableFilter::bytes() const {
  uint64_t sum = 0;
  for (const Filter& layer : layers_) sum += layer.spec().bytes();
  return sum;
}

double ScalableFilter::ExpectedFpr() const {
  double miss = 1;
  for (const Filter& layer : layers_) miss *= 1 - layer.ExpectedFpr();
  return 1 - miss;
}

double ScalableFilter::ObservedFpr() const {
  double miss = 1;
  for (const Filter& layer : layers_) miss *= 1 - layer.ObservedFpr();
  return 1 - miss;
}

void Engine::Insert(ScalableFilter& filter, const Keys& keys) { InsertNew(filter, keys); }

uint64_t Engine::InsertNew(ScalableFilter& filter, const Keys& keys, std::span<uint8_t> answers) {
  filter.layers().back().mutable_data();  // refuses a read-only one
  uint8_t* out = CheckedAnswers(answers, keys.size());
  if (out != nullptr) FillAnswers(out, keys.size(), false);
  const auto lease = candidates().Borrow();
  Candidates& left = *lease;
  uint64_t fresh = 0;
  for (uint64_t first = 0; first < keys.size(); first += kPiece) {
    const Keys piece = keys.Slice(first, std::min(kPiece, keys.size() - first));
    left.Start(*this, filter.layers().front().spec(), piece);
    for (size_t i = filter.layers().size(); i-- > 0;)
      left.DropPresent(*this, filter.layers()[i], 0);
    while (left.size() != 0) {
      if (filter.layers().back().inserted() >= filter.layers().back().plan().capacity) {
        const bool placed = filter.layers().back().storage().shared();
        filter.AddLayer();
        if (placed) Place(filter.layers().back());
      }
      Filter& last = filter.layers().back();
      const uint64_t count = std::min(left.size(), last.plan().capacity - last.inserted());
      fresh += InsertNew(last, left.First(count), left.answers);
      for (uint64_t i = 0; out != nullptr && i < count; ++i) {
        if (AnswerAt(left.answers.data(), i)) SetAnswer(out, first + left.indices[i], true);
      }
      left.DropPresent(*this, last, count);
    }
  }
  return fresh;
}

uint64_t Engine::Contains(const ScalableFilter& filter, const Keys& keys,
                          std::span<uint8_t> answers) const {
  uint8_t* out = CheckedAnswers(answers, keys.size());
  if (out != nullptr) FillAnswers(out, keys.size(), true);
  const auto lease = candidates().Borrow();
  Candidates& left = *lease;
  uint64_t present = 0;
  for (uint64_t first = 0; first < keys.size(); first += kPiece) {
    const Keys piece = keys.Slice(first, std::min(kPiece, keys.size() - first));
    left.Start(*this, filter.layers().front().spec(), piece);
    for (size_t i = filter.layers().size(); i-- > 0;)
      left.DropPresent(*this, filter.layers()[i], 0);
    present += piece.size() - left.size();
    if (out == nullptr) continue;
    for (const uint32_t index : left.indices) SetAnswer(out, first + index, false);
  }
  return present;
}

}  // namespace tamis
