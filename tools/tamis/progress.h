// A line on the terminal that says how far the work is. Silent when standard error is no terminal.
#ifndef TAMIS_TOOLS_PROGRESS_H_
#define TAMIS_TOOLS_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "families.h"

namespace tamis::command {

using Clock = std::chrono::steady_clock;

inline double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Progress {
 public:
  /// `wanted` false keeps it silent: when records go to the same terminal.
  Progress(bool wanted, std::optional<uint64_t> total_bytes);
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// The input is read from its beginning again, for `what`, which the line then begins with.
  void Again(std::string_view what);
  /// So much was done by a run that this one goes on from: rates are of what comes after it.
  void GoOnFrom(uint64_t bytes, uint64_t records);
  /// Call for every chunk; it shows itself a few times a second: bytes done and their share, if it
  /// is known how many there are, records, their rate, the time left, fill and predicted loss.
  void Show(uint64_t bytes, uint64_t records, const AnyFilter& filter, double lost);
  /// Takes the line away, before anything else is printed.
  void Clear();

 private:
  bool on_;
  bool shown_ = false;
  std::optional<uint64_t> total_bytes_;
  std::string what_;
  uint64_t bytes_before_ = 0;
  uint64_t records_before_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_PROGRESS_H_
