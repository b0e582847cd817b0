#include "tamis/filter.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

namespace tamis {

namespace {

template <typename Word>
int SetBits(const Word* words, int count) {
  int bits = 0;
  for (int i = 0; i < count; ++i) bits += std::popcount(words[i]);
  return bits;
}

// The rate that a block's own bits give a foreign key which falls there.
template <typename V>
double BlockFpr(const typename V::Word* block, int k) {
  constexpr double kWordBits = 8 * sizeof(typename V::Word);
  if constexpr (V::kMinK != V::kMaxK) {  // bits anywhere in the block
    return std::pow(SetBits(block, V::kWords) / (kWordBits * V::kWords), k);
  } else {
    double rate = 1;
    for (int i = 0; i < V::kWords; ++i) rate *= SetBits(block + i, 1) / kWordBits;
    return rate;
  }
}

void RequireSize(const Spec& spec, const Storage& storage) {
  if (storage.size() == spec.bytes()) return;
  throw InvalidArgument("storage of " + std::to_string(storage.size()) + " bytes for a filter of " +
                        std::to_string(spec.bytes()));
}

}  // namespace

Filter::Filter(const Plan& plan, HugePages huge, uint64_t memory_limit)
    : plan_(plan),
      storage_((Validate(plan.spec), Storage::Zeroed(plan.spec.bytes(), huge, memory_limit))) {}

Filter::Filter(const Plan& plan, Storage storage, uint64_t inserted)
    : plan_(plan), storage_(std::move(storage)), inserted_(inserted) {
  Validate(plan.spec);
  RequireSize(plan.spec, storage_);
}

std::byte* Filter::mutable_data() {
  if (!storage_.writable()) {
    throw InvalidArgument(
        "the filter is mapped read-only: load it with LoadMode::kRead to change it");
  }
  return storage_.data();
}

void Filter::MoveTo(Storage copy) {
  RequireSize(plan_.spec, copy);
  storage_ = std::move(copy);
}

void Filter::AddInserted(uint64_t keys) {
  inserted_ = inserted_ + keys < inserted_ ? UINT64_MAX : inserted_ + keys;
}

double Filter::Fill() const {
  uint64_t set = 0;
  const auto* words = reinterpret_cast<const uint64_t*>(bytes().data());
  for (uint64_t i = 0; i < bytes().size() / sizeof(uint64_t); ++i) {
    set += static_cast<uint64_t>(std::popcount(words[i]));
  }
  return static_cast<double>(set) / static_cast<double>(spec().bits());
}

double Filter::ExpectedFpr() const { return tamis::ExpectedFpr(spec(), inserted_); }

double Filter::ObservedFpr() const {
  return VisitVariant(spec().variant, [&]<typename V>(V) {
    if constexpr (V::kBlocked) {
      const auto* words = reinterpret_cast<const typename V::Word*>(bytes().data());
      double sum = 0;
      for (uint64_t block = 0; block < spec().blocks; ++block) {
        sum += BlockFpr<V>(words + block * V::kWords, spec().k);
      }
      return sum / static_cast<double>(spec().blocks);
    } else {
      return std::pow(Fill(), spec().k);
    }
  });
}

void Filter::Clear() {
  std::memset(mutable_data(), 0, storage_.size());
  inserted_ = 0;
}

}  // namespace tamis
