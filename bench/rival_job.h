// The rival that consecutive rows work on: built by its first row, kept for those that follow.
#ifndef TAMIS_BENCH_RIVAL_JOB_H_
#define TAMIS_BENCH_RIVAL_JOB_H_

#include <memory>

#include "bench/grid.h"
#include "bench/result.h"
#include "bench/rivals/rival.h"

namespace tamis::bench {

class SharedRival {
 public:
  explicit SharedRival(const Effort& effort) : effort_(effort) {}

  /// The row's rival, not built, or built as before.
  Rival& Get(const WorkRow& row);
  /// Puts keys 0 to filter_keys - 1 in, from empty. Returns the seconds that this took.
  double Build();
  /// The same unless it was done.
  void EnsureBuilt() {
    if (!built_) Build();
  }
  double MeasureFpr();
  /// Gives the memory back.
  void Drop() { rival_.reset(); }

 private:
  Effort effort_;
  WorkRow row_;
  std::unique_ptr<Rival> rival_;
  bool built_ = false;
  double fpr_ = -1;
};

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_RIVAL_JOB_H_
