#include "tamis/filter.h"

#include <bit>
#include <cstring>
#include <string>
#include <utility>

namespace tamis {

namespace {

// Sums `f(fills of a block's words)` over all blocks, where a fill is a count of set bits.
template <typename F>
double SumOverBlocks(const Spec& spec, std::span<const std::byte> bytes, F&& f) {
  return VisitVariant(spec.variant, [&]<typename V>(V) {
    using Word = typename V::Word;
    const auto* words = reinterpret_cast<const Word*>(bytes.data());
    double sum = 0;
    for (uint64_t block = 0; block < spec.blocks; ++block) {
      sum += f(words + block * kBlockWords);
    }
    return sum;
  });
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

void Filter::MoveTo(Storage storage) {
  RequireSize(plan_.spec, storage);
  std::memcpy(storage.data(), storage_.data(), storage_.size());
  storage_ = std::move(storage);
}

void Filter::AddInserted(uint64_t keys) {
  inserted_ = inserted_ + keys < inserted_ ? UINT64_MAX : inserted_ + keys;
}

double Filter::Fill() const {
  const double set = SumOverBlocks(spec(), bytes(), []<typename Word>(const Word* block) {
    int bits = 0;
    for (int i = 0; i < kBlockWords; ++i) bits += std::popcount(block[i]);
    return static_cast<double>(bits);
  });
  return set / static_cast<double>(spec().bits());
}

double Filter::ExpectedFpr() const { return tamis::ExpectedFpr(spec(), inserted_); }

double Filter::ObservedFpr() const {
  const double sum = SumOverBlocks(spec(), bytes(), []<typename Word>(const Word* block) {
    double rate = 1;
    for (int i = 0; i < kBlockWords; ++i) {
      rate *= static_cast<double>(std::popcount(block[i])) / (8 * sizeof(Word));
    }
    return rate;
  });
  return sum / static_cast<double>(spec().blocks);
}

void Filter::Clear() {
  std::memset(mutable_data(), 0, storage_.size());
  inserted_ = 0;
}

}  // namespace tamis
