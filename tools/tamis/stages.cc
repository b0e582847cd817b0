#include "stages.h"

#include <chrono>
#include <thread>
#include <vector>

namespace tamis::command {

namespace {

// Adds its own lifetime to a sum.
class Timer {
 public:
  explicit Timer(std::atomic<int64_t>& sum) : sum_(sum) {}
  ~Timer() { sum_ += std::chrono::nanoseconds(Clock::now() - begin_).count(); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  std::atomic<int64_t>& sum_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace

void Stages::Gate::Await(uint64_t number) {
  std::unique_lock lock(mutex_);
  moved_.wait(lock, [&] { return next_ == number; });
}

void Stages::Gate::Pass(uint64_t number, const std::function<void()>& call) {
  Await(number);
  call();  // alone: every other number still waits
  const std::lock_guard lock(mutex_);
  ++next_;
  moved_.notify_all();
}

void Stages::Fail(uint64_t number) {
  const std::lock_guard lock(failing_);
  if (number >= failed_) return;
  failed_ = number;
  failure_ = std::current_exception();
}

// Calls, unless this chunk or one before it has failed.
void Stages::Guarded(uint64_t number, const std::function<void(Chunk&)>& call, Chunk& chunk,
                     Nanoseconds& spent) {
  {
    const std::lock_guard lock(failing_);
    if (number >= failed_) return;
  }
  const Timer timer(spent);
  try {
    if (call) call(chunk);
  } catch (...) {
    Fail(number);
  }
}

bool Stages::ReadNext(Chunk& chunk, uint64_t& number) {
  const std::lock_guard lock(reading_);
  {
    const std::lock_guard failing(failing_);
    if (ended_ || failure_ != nullptr) return false;
  }
  try {
    const Timer timer(reading_time_);
    ended_ = !calls_.read(chunk);
  } catch (...) {
    Fail(read_);
    ended_ = true;
  }
  number = read_;
  if (!ended_) ++read_;
  return !ended_;
}

bool Stages::AwaitEarlier() {
  write_.Await(read_);
  const std::lock_guard lock(failing_);
  return failure_ == nullptr;
}

void Stages::Work() {
  Chunk chunk;
  uint64_t number = 0;
  while (ReadNext(chunk, number)) {
    Guarded(number, calls_.prepare, chunk, preparing_);
    filter_.Pass(number, [&] { Guarded(number, calls_.filter, chunk, filtering_); });
    Guarded(number, calls_.render, chunk, rendering_);
    write_.Pass(number, [&] { Guarded(number, calls_.write, chunk, writing_); });
  }
}

StageSeconds Stages::seconds() const {
  const auto seconds = [](const Nanoseconds& sum) { return static_cast<double>(sum) / 1e9; };
  return {.read = seconds(reading_time_),
          .prepare = seconds(preparing_),
          .filter = seconds(filtering_),
          .render = seconds(rendering_),
          .write = seconds(writing_)};
}

void Stages::Run(int threads) {
  {
    std::vector<std::jthread> others;
    for (int i = 1; i < threads; ++i) others.emplace_back([this] { Work(); });
    Work();
  }
  if (failure_ != nullptr) std::rethrow_exception(failure_);
}

}  // namespace tamis::command
