#include "stages.h"

#include <thread>
#include <vector>

namespace tamis::command {

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
void Stages::Guarded(uint64_t number, const std::function<void(Chunk&)>& call, Chunk& chunk) {
  {
    const std::lock_guard lock(failing_);
    if (number >= failed_) return;
  }
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
    Guarded(number, calls_.prepare, chunk);
    filter_.Pass(number, [&] { Guarded(number, calls_.filter, chunk); });
    Guarded(number, calls_.render, chunk);
    write_.Pass(number, [&] { Guarded(number, calls_.write, chunk); });
  }
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
