#include "bench/shared_filter.h"

#include <algorithm>

#include "bench/key_set.h"
#include "bench/pinned.h"
#include "tamis/engine.h"
#include "tamis/formats.h"

namespace tamis::bench {

namespace {

constexpr uint64_t kChunk = uint64_t{1} << 20;

Engine FastestEngine() {
  const auto threads = static_cast<int>(Processors().size());
  ConfineTo(threads);
  return Engine({.threads = threads});
}

// What a row's `variant` names: one of tamis's own, or a format whose filters are classic ones with
// that system's hash and probe scheme.
PlanOptions LayoutOf(std::string_view name) {
  for (const FormatFacts& format : Formats()) {
    if (format.name != name) continue;
    const Spec spec = PlanForFormat(name, 1000, 0.01).spec;
    return {.variant = spec.variant, .hash = spec.hash, .probe = spec.probe};
  }
  return {.variant = VariantFromName(name)};
}

bool SameFilter(const WorkRow& a, const WorkRow& b) {
  return a.variant == b.variant && a.key_kind == b.key_kind && a.filter_keys == b.filter_keys &&
         a.bits_per_key == b.bits_per_key && a.pages == b.pages;
}

// Share of so many foreign keys that the filter calls present.
double MeasureFpr(Engine& engine, const Filter& filter, const WorkRow& row, uint64_t keys) {
  uint64_t present = 0;
  for (uint64_t done = 0; done < keys; done += kChunk) {
    const uint64_t count = std::min(kChunk, keys - done);
    // The far half of the foreign keys: rows ask for the near ones.
    const KeySet set = KeySet::Range(row.key_kind, kForeign + kForeign / 2 + done, count);
    present += engine.Contains(filter, set.keys());
  }
  return static_cast<double>(present) / static_cast<double>(keys);
}

}  // namespace

void SharedFilter::Make(const WorkRow& row) {
  if (filter_ && SameFilter(row, row_)) return;
  filter_.reset();  // before another takes memory
  row_ = row;
  const Plan plan = PlanForBitsPerKey(row.filter_keys, row.bits_per_key, LayoutOf(row.variant));
  filter_.emplace(plan, row.pages == "huge" ? HugePages::kTry : HugePages::kNever,
                  MemoryLimit() / 3);  // a row may need two, and keys
  held_ = 0;
  best_read_.reset();
  best_update_.reset();
  Hold(row.filter_keys);
  fpr_theory_ = filter_->ExpectedFpr();
  Engine engine = FastestEngine();
  const uint64_t foreign = KeyBytes(row.key_kind) == 8
                               ? effort_.foreign_keys
                               : std::min(effort_.foreign_keys, uint64_t{1} << 18);
  fpr_ = MeasureFpr(engine, *filter_, row, foreign);
}

void SharedFilter::Hold(uint64_t keys) {
  if (held_ == keys) return;
  Engine engine = FastestEngine();
  filter_->Clear();
  for (uint64_t done = 0; done < keys; done += kChunk) {
    engine.Insert(*filter_,
                  KeySet::Range(row_.key_kind, done, std::min(kChunk, keys - done)).keys());
  }
  held_ = keys;
}

Filter& SharedFilter::Full(const WorkRow& row) {
  Make(row);
  Hold(row.filter_keys);
  return *filter_;
}

Filter& SharedFilter::Half(const WorkRow& row) {
  Make(row);
  Hold(row.filter_keys / 2);
  return *filter_;
}

Blocks SharedFilter::blocks() {
  const Spec& spec = filter_->spec();
  const uint64_t bytes =
      spec.classic() ? kLineBits / 8 : std::max<uint64_t>(32, spec.block_bytes());
  return {filter_->mutable_data(), static_cast<uint32_t>(spec.bytes() / bytes),
          static_cast<uint32_t>(bytes)};
}

int SharedFilter::accesses() const { return filter_->spec().classic() ? filter_->spec().k : 1; }

Prefetching SharedFilter::BestFor(Access access) {
  std::optional<Prefetching>& best = access == Access::kRead ? best_read_ : best_update_;
  if (!best) best = FindBestPrefetching(blocks(), access);
  return *best;
}

}  // namespace tamis::bench
