// A filter that forgets: a window over the stream of keys, cut into generations, each a filter of
// its own. New keys go into the newest; a key is present if some living generation has it; the
// oldest is dropped whole.
//
//   by time    | n-3 | n-2 | n-1 | n ..     generation n: seconds n * period to (n + 1) * period
//   by count   | n-3 | n-2 | n-1 | n ..     each of just `capacity` new keys, the newest of fewer
//              dropped ^ with 3 generations these live    ^ keys go in here
//
// A key is remembered from when it was first put in; seen again, it is not put in again, and its
// time does not begin anew. By time it is forgotten between (generations - 1) and `generations`
// periods later; by count when as many generations' worth of new keys have come. The
// generations are cut at whole periods since 1970, so that filters of one window, wherever they
// were filled, can be merged.
//
// Time is what the caller says (AdvanceTo): nothing here reads a clock. Time that goes backwards
// changes nothing: keys still go into the newest generation. After longer than a window without
// keys, all of them are forgotten at once.
//
// Each generation has its share of the rate, so that the whole stays under it; its memory is
// taken when its first key comes, and given back when it is dropped.
//
// Threads: as for Filter.
#ifndef TAMIS_WINDOWED_H_
#define TAMIS_WINDOWED_H_

#include <cstdint>
#include <span>
#include <vector>

#include "tamis/filter.h"

namespace tamis {

/// How a window is cut.
struct Window {
  static constexpr uint32_t kMaxGenerations = 256;            ///< each is asked for every key
  static constexpr uint64_t kMaxSeconds = uint64_t{1} << 48;  ///< of a period, and since 1970
  static constexpr uint64_t kMaxKeys = uint64_t{1} << 48;

  uint64_t period = 0;       ///< seconds of a generation; 0: generations end by count
  uint64_t capacity = 1;     ///< new keys of a generation: planned for by time, exact by count
  uint32_t generations = 1;  ///< 1 to kMaxGenerations

  /// `seconds` (at least 1 each generation) in all, rounded up to whole periods, and `keys`
  /// distinct keys planned for. Throws InvalidArgument.
  static Window ByTime(uint64_t seconds, uint32_t generations, uint64_t keys);
  /// The last `keys` (at least 1 each generation) new keys, rounded up to whole generations; the
  /// oldest of them go together. Throws InvalidArgument.
  static Window ByCount(uint64_t keys, uint32_t generations);

  friend bool operator==(const Window&, const Window&) = default;

  bool by_time() const { return period != 0; }
  /// Of all generations together.
  uint64_t seconds() const { return period * generations; }
  uint64_t keys() const { return capacity * generations; }
  /// The highest number that a generation may have: far beyond any clock or count.
  uint64_t LastNumber() const { return by_time() ? kMaxSeconds / period : kMaxKeys; }
};

class WindowedFilter {
 public:
  /// An empty one. `fpr` is the rate of the whole while no generation has more than its capacity.
  /// Throws InvalidArgument for a window or a rate out of range, and as PlanFor does.
  WindowedFilter(const Window& window, double fpr, const PlanOptions& options = {});

  /// Generations read from a file: their numbers, rising, and their filters. Throws InvalidArgument
  /// unless they can have come about so.
  WindowedFilter(const Window& window, double fpr, const PlanOptions& options, uint64_t current,
                 std::vector<uint64_t> numbers, std::vector<Filter> layers);

  WindowedFilter(WindowedFilter&&) noexcept = default;
  WindowedFilter& operator=(WindowedFilter&&) noexcept = default;

  /// Says what time it is, in seconds since 1970, and drops generations that are over. A time
  /// before one that was said changes nothing; neither does any time for a window by count.
  void AdvanceTo(uint64_t unix_seconds);

  const Window& window() const { return window_; }
  double fpr() const { return fpr_; }
  const PlanOptions& options() const { return options_; }
  /// The plan of every generation.
  const Plan& plan() const { return plan_; }

  /// Number of the generation that keys go into now. It may have none yet.
  uint64_t current() const { return current_; }
  /// Living generations that have keys, oldest first: their numbers, and their filters.
  const std::vector<uint64_t>& numbers() const { return numbers_; }
  const std::vector<Filter>& layers() const { return layers_; }
  std::vector<Filter>& layers() { return layers_; }  // for engines

  /// Keys that went into living generations. A key that an older one still had went into none.
  uint64_t inserted() const;
  /// Memory taken now; `generations` times the plan's at most.
  uint64_t bytes() const;
  /// Whether some living generation has more keys than its capacity. Never by count.
  bool overfull() const;
  /// Rates of the whole: one minus the product of the generations' misses.
  double ExpectedFpr() const;
  double ObservedFpr() const;

  /// Opens the current generation, if that was not done, and returns its filter. For engines.
  /// Throws MemoryError.
  Filter& Newest();
  /// Living generations before the current one that have keys.
  std::span<const Filter> Older() const;
  /// New keys that the newest generation takes before it ends. For engines.
  uint64_t Room() const;
  /// Ends the newest generation of a window by count. For engines.
  void Rotate();
  /// A generation's filter, opened if it lives and has none; null if it is over. For engines.
  Filter* Generation(uint64_t number);

 private:
  bool Lives(uint64_t number) const { return number + window_.generations > current_; }
  void SetCurrent(uint64_t number);

  Window window_;
  double fpr_;
  PlanOptions options_;
  Plan plan_;
  uint64_t current_ = 0;
  std::vector<uint64_t> numbers_;
  std::vector<Filter> layers_;
};

}  // namespace tamis

#endif  // TAMIS_WINDOWED_H_
