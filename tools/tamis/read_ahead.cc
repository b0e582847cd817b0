#include "read_ahead.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tamis::command {

ReadAhead::ReadAhead(std::unique_ptr<StoppableSource> source)
    : source_(std::move(source)), blocks_(kBlocks), thread_([this] { Run(); }) {}

ReadAhead::~ReadAhead() {
  source_->Stop();
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  moved_.notify_all();
  thread_.join();
}

// As much as there is without waiting for a pipe, but something.
void ReadAhead::Fill(Block& block) {
  block.text.resize(kBlockBytes);
  block.size = 0;
  do {
    if (!source_->Ready()) {
      if (block.size > 0) return;
      const std::lock_guard lock(mutex_);
      starved_ = true;
      moved_.notify_all();
    }
    const size_t got = source_->Read(block.text.data() + block.size, kBlockBytes - block.size);
    if (got == 0) return;
    block.size += got;
  } while (block.size < kBlockBytes);
}

void ReadAhead::Run() {
  try {
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        moved_.wait(lock, [&] { return stopping_ || filled_ - emptied_ < kBlocks; });
        if (stopping_) return;
      }
      Block& block = blocks_[filled_ % kBlocks];
      Fill(block);
      const std::lock_guard lock(mutex_);
      starved_ = false;
      ended_ = block.size == 0;
      if (!ended_) ++filled_;
      moved_.notify_all();
      if (ended_) return;
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
    ended_ = true;
    moved_.notify_all();
  }
}

bool ReadAhead::Ready() {
  std::unique_lock lock(mutex_);
  moved_.wait(lock, [&] { return filled_ != emptied_ || ended_ || starved_; });
  return filled_ != emptied_ || ended_;
}

size_t ReadAhead::Read(char* into, size_t bytes) {
  {
    std::unique_lock lock(mutex_);
    moved_.wait(lock, [&] { return filled_ != emptied_ || ended_; });
    if (filled_ == emptied_) {
      if (failure_ != nullptr) std::rethrow_exception(failure_);
      return 0;
    }
  }
  const Block& block = blocks_[emptied_ % kBlocks];
  const size_t some = std::min(bytes, block.size - taken_);
  std::memcpy(into, block.text.data() + taken_, some);
  taken_ += some;
  if (taken_ == block.size) {
    taken_ = 0;
    const std::lock_guard lock(mutex_);
    ++emptied_;
    moved_.notify_all();
  }
  return some;
}

}  // namespace tamis::command
