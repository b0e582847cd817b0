// Growing filters: the layers, and the engine's verbs on them.
//
// InsertNew on a piece of a batch, in words: hash it; ask the older layers, newest first, and keep
// the keys that none has ("candidates", in order); put them into the last layer, which says itself
// which were new. Only where it might get full on the way is it asked first: then the first of the
// keys that it has not, at most as many as it has room for, go in; if candidates are left, it may
// be full, so ask again for the rest. A layer is opened only when a candidate has no room, which is
// then new for certain. So the cut between layers depends on the order of keys alone, not on how
// they were batched.

#include "tamis/scalable.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "layers.h"
#include "tamis/engine.h"

namespace tamis {

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
    RequireLayer(layers_[i], i, PlanOfLayer(i), options_,
                 "growing from " + std::to_string(first_capacity) + " keys");
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
  return tamis::PlanOfLayer(capacity, fpr_ * std::pow(kTighten, static_cast<double>(i + 1)),
                            options_);
}

void ScalableFilter::AddLayer() { layers_.emplace_back(PlanOfLayer(layers_.size())); }

uint64_t ScalableFilter::inserted() const { return InsertedInAll(layers_); }
uint64_t ScalableFilter::bytes() const { return BytesOfAll(layers_); }

double ScalableFilter::ExpectedFpr() const {
  return RateOfAny(layers_, [](const Filter& layer) { return layer.ExpectedFpr(); });
}
double ScalableFilter::ObservedFpr() const {
  return RateOfAny(layers_, [](const Filter& layer) { return layer.ObservedFpr(); });
}

void Engine::Insert(ScalableFilter& filter, const Keys& keys) { InsertNew(filter, keys); }

uint64_t Engine::InsertNew(ScalableFilter& filter, const Keys& keys, std::span<uint8_t> answers) {
  filter.layers().back().mutable_data();  // refuses a read-only one
  uint8_t* out = CheckedAnswers(answers, keys.size());
  if (out != nullptr) FillAnswers(out, keys.size(), false);
  const auto lease = candidates().Borrow();
  Candidates& left = *lease;
  uint64_t fresh = 0;
  for (uint64_t first = 0; first < keys.size(); first += kFamilyPiece) {
    const Keys piece = keys.Slice(first, std::min(kFamilyPiece, keys.size() - first));
    Filter& newest = filter.layers().back();
    const auto room = [](const Filter& layer) { return layer.plan().capacity - layer.inserted(); };
    const std::span<const Filter> older(filter.layers().data(), filter.layers().size() - 1);
    if (older.empty() && piece.size() <= room(newest)) {
      fresh += InsertNew(newest, piece, AnswersFrom(answers, first, piece.size()));
      continue;
    }
    KeepAbsent(*this, older, newest.spec(), piece, left);
    if (left.size() > room(newest)) left.DropPresent(*this, newest, 0);
    while (left.size() != 0) {
      if (room(filter.layers().back()) == 0) {
        const bool placed = filter.layers().back().storage().shared();
        filter.AddLayer();
        if (placed) Place(filter.layers().back());
      }
      Filter& last = filter.layers().back();
      fresh += InsertFirst(*this, last, left, std::min(left.size(), room(last)), out, first);
    }
  }
  return fresh;
}

uint64_t Engine::Contains(const ScalableFilter& filter, const Keys& keys,
                          std::span<uint8_t> answers) const {
  const auto lease = candidates().Borrow();
  return ContainsInAny(*this, filter.layers(), filter.layers().front().spec(), keys, answers,
                       *lease);
}

}  // namespace tamis
