// The filter that consecutive rows work on. Filling a large one takes longer than measuring a row
// with it, so it is filled when its first row comes, and again only after a row that spoils it.
#ifndef TAMIS_BENCH_SHARED_FILTER_H_
#define TAMIS_BENCH_SHARED_FILTER_H_

#include <cstdint>
#include <optional>

#include "bench/grid.h"
#include "bench/limits.h"
#include "bench/result.h"
#include "tamis/filter.h"

namespace tamis::bench {

class SharedFilter {
 public:
  explicit SharedFilter(const Effort& effort) : effort_(effort) {}

  /// The row's filter, holding keys 0 to filter_keys - 1, so that no page of it is untouched:
  /// untouched ones are all the same page of zeros, which reads much too fast. Uses all processors.
  Filter& Full(const WorkRow& row);

  /// The same filter with the first half of the keys.
  Filter& Half(const WorkRow& row);

  /// Says that the filter does not hold what it did.
  void Spoil() { held_ = 0; }
  /// Gives the memory back.
  void Drop() { filter_.reset(); }

  /// Of the full filter.
  double fpr() const { return fpr_; }
  double fpr_theory() const { return fpr_theory_; }

  /// The pieces of the filter's memory that keys touch: its blocks, no smaller than 32 bytes, or
  /// the lines of a classic one.
  Blocks blocks();
  /// Pieces that a member touches.
  int accesses() const;
  /// The best for these blocks, found when first asked for.
  Prefetching BestFor(Access access);

 private:
  void Make(const WorkRow& row);
  void Hold(uint64_t keys);

  Effort effort_;
  WorkRow row_;  // that described it
  std::optional<Filter> filter_;
  uint64_t held_ = 0;
  double fpr_ = 0;
  double fpr_theory_ = 0;
  std::optional<Prefetching> best_read_;
  std::optional<Prefetching> best_update_;
};

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_SHARED_FILTER_H_
