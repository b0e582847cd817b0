// How many records were wrongly called duplicates, as predicted while they pass.
//
// When the filter's rate is f, one in 1 / f of the truly new records is called a duplicate: for
// every `n` that are called new, n * f / (1 - f) were lost. f rises with the number of distinct
// records offered, lost ones included, so that number is what is added up here. Past the plan f
// nears 1; then the estimate is as rough as the result is useless, and the caller's count of
// duplicates bounds it.
#ifndef TAMIS_TOOLS_LOSS_H_
#define TAMIS_TOOLS_LOSS_H_

#include <cstdint>

#include "families.h"

namespace tamis::command {

class LossMeter {
 public:
  /// All that it knows, so that another process can go on with it.
  struct State {
    double distinct = 0;  ///< records in the filter, and lost before it
    double price = 1;     ///< distinct records per record called new: 1 / (1 - f)
    double pending = 0;   ///< called new since the last update
    double lost = 0;
  };

  explicit LossMeter(const AnyFilter& filter);
  explicit LossMeter(const State& state) : state_(state) {}

  /// `fresh` more records were called new.
  void Add(const AnyFilter& filter, uint64_t fresh);

  /// Records predicted to be lost among all that were added; brings the estimate up to date.
  double Lost(const AnyFilter& filter);
  /// As last brought up to date: for a progress line.
  double lost() const { return state_.lost; }
  const State& state() const { return state_; }

 private:
  void Update(const AnyFilter& filter);

  State state_;
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_LOSS_H_
