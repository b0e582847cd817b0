// How many records were wrongly called duplicates, as predicted while they pass.
//
// When the filter's rate is f, one in 1 / f of the truly new records is called a duplicate. f rises
// with the number D of distinct records offered, lost ones included, and within one chunk by far
// where that fills much of a plan: of the records from D0 to D1 those lost are the integral of f
// over D, and the others are those called new. Their number is what is known, so D1 is what is
// sought. Past the plan f nears 1; then the estimate is as rough as the result is useless, and the
// caller's count of duplicates bounds it.
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
    double rate = 0;      ///< f with so many
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
