// Numbers that come in ascending runs, kept in a temporary file, and read back as one ascending
// sequence.
#ifndef TAMIS_TOOLS_NUMBER_RUNS_H_
#define TAMIS_TOOLS_NUMBER_RUNS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "temporary_file.h"

namespace tamis::command {

class NumberRuns {
 public:
  /// A number below the one before it begins another run.
  void Append(uint64_t number);
  uint64_t size() const { return size_; }

  /// Merges the runs. Nothing is to be appended from then on.
  class Merged {
   public:
    /// `memory` is divided among the runs. `runs` must outlive this.
    Merged(NumberRuns& runs, uint64_t memory);

    /// The least number that was not taken yet; nothing at the end.
    std::optional<uint64_t> Peek() const;
    void Take();

   private:
    struct Run {
      uint64_t next = 0;  // of the file, counted in numbers
      uint64_t end = 0;
      std::vector<uint64_t> numbers;  // those read last
      size_t at = 0;
    };
    using Head = std::pair<uint64_t, size_t>;  // a number, and whose

    void Offer(size_t run);

    const NumberRuns& runs_;
    size_t read_at_once_;
    std::vector<Run> open_;
    std::priority_queue<Head, std::vector<Head>, std::greater<>> heads_;
  };

 private:
  static constexpr size_t kBuffered = 8192;

  void Flush();

  std::vector<uint64_t> buffer_;
  std::vector<uint64_t> begins_;  // of runs
  uint64_t size_ = 0;
  uint64_t last_ = 0;
  std::optional<TemporaryFile> file_;
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_NUMBER_RUNS_H_
