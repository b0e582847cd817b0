// Runs chunks through their stages on a number of threads, so that reading, hashing, filtering and
// writing overlap, while everything that must happen in order does.
//
//   thread 1   read 0  prepare 0  filter 0  render 0  write 0  read 2  prepare 2 ...
//   thread 2           read 1  prepare 1    filter 1  render 1 write 1  read 3  ...
//
// Each thread owns one chunk and takes it all the way: at most one chunk is in each of read, filter
// and write at any time, and they pass there in the order in which they were read. Threads of our
// own rather than a task scheduler's, since reading and writing block for as long as the other end
// of a pipe pleases.
#ifndef TAMIS_TOOLS_STAGES_H_
#define TAMIS_TOOLS_STAGES_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>

#include "chunk.h"

namespace tamis::command {

struct StageCalls {
  std::function<bool(Chunk&)> read;      ///< in order; false at the end, or to stop
  std::function<void(Chunk&)> prepare;   ///< any number at once
  std::function<void(Chunk&)> filter;    ///< in order; may be empty
  std::function<void(Chunk&)> render{};  ///< any number at once; may be empty
  std::function<void(Chunk&)> write;     ///< in order; may be empty
};

/// Time spent in each stage, added up over threads, without the time spent waiting for a turn.
struct StageSeconds {
  double read = 0;
  double prepare = 0;
  double filter = 0;
  double render = 0;
  double write = 0;
};

class Stages {
 public:
  explicit Stages(StageCalls calls) : calls_(std::move(calls)) {}

  /// Runs until read returns false, on the calling thread and `threads` - 1 others. If a stage
  /// throws, chunks read before that one still come to their end, none after it does, and the
  /// first such exception is thrown again here.
  void Run(int threads);

  /// For use by the read stage: waits until every chunk read before this one is written. Returns
  /// false if a stage failed on one of them; then the read stage is to return false as well.
  bool AwaitEarlier();

  /// After Run.
  StageSeconds seconds() const;

 private:
  // Lets chunks through one at a time, in order of their numbers.
  class Gate {
   public:
    void Pass(uint64_t number, const std::function<void()>& call);
    void Await(uint64_t number);

   private:
    std::mutex mutex_;
    std::condition_variable moved_;
    uint64_t next_ = 0;
  };

  void Work();
  bool ReadNext(Chunk& chunk, uint64_t& number);
  void Fail(uint64_t number);
  using Nanoseconds = std::atomic<int64_t>;
  void Guarded(uint64_t number, const std::function<void(Chunk&)>& call, Chunk& chunk,
               Nanoseconds& spent);

  StageCalls calls_;
  std::mutex reading_;
  uint64_t read_ = 0;  // chunks, under reading_
  bool ended_ = false;
  Gate filter_;
  Gate write_;

  Nanoseconds reading_time_ = 0;
  Nanoseconds preparing_ = 0;
  Nanoseconds filtering_ = 0;
  Nanoseconds rendering_ = 0;
  Nanoseconds writing_ = 0;

  std::mutex failing_;
  uint64_t failed_ = UINT64_MAX;  // number of the first chunk that failed
  std::exception_ptr failure_;
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_STAGES_H_
