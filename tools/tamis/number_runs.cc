#include "number_runs.h"

#include <algorithm>

namespace tamis::command {

void NumberRuns::Append(uint64_t number) {
  if (size_ == 0 || number < last_) begins_.push_back(size_);
  last_ = number;
  ++size_;
  buffer_.push_back(number);
  if (buffer_.size() == kBuffered) Flush();
}

void NumberRuns::Flush() {
  if (buffer_.empty()) return;
  if (!file_) file_.emplace();
  file_->Append(reinterpret_cast<const char*>(buffer_.data()), buffer_.size() * sizeof(uint64_t));
  buffer_.clear();
}

NumberRuns::Merged::Merged(NumberRuns& runs, uint64_t memory) : runs_(runs) {
  constexpr uint64_t kFewest = 64;
  constexpr uint64_t kMost = 8192;
  runs.Flush();
  const size_t count = runs.begins_.size();
  read_at_once_ =
      std::clamp(memory / sizeof(uint64_t) / std::max<uint64_t>(count, 1), kFewest, kMost);
  open_.resize(count);
  for (size_t i = 0; i < count; ++i) {
    open_[i].next = runs.begins_[i];
    open_[i].end = i + 1 < count ? runs.begins_[i + 1] : runs.size_;
    Offer(i);
  }
}

// Puts a run's next number among the heads, if it has one.
void NumberRuns::Merged::Offer(size_t run) {
  Run& open = open_[run];
  if (open.at == open.numbers.size()) {
    if (open.next == open.end) return;
    open.numbers.resize(std::min<uint64_t>(read_at_once_, open.end - open.next));
    runs_.file_->ReadAt(open.next * sizeof(uint64_t), reinterpret_cast<char*>(open.numbers.data()),
                        open.numbers.size() * sizeof(uint64_t));
    open.next += open.numbers.size();
    open.at = 0;
  }
  heads_.emplace(open.numbers[open.at++], run);
}

std::optional<uint64_t> NumberRuns::Merged::Peek() const {
  return heads_.empty() ? std::nullopt : std::optional(heads_.top().first);
}

void NumberRuns::Merged::Take() {
  const size_t run = heads_.top().second;
  heads_.pop();
  Offer(run);
}

}  // namespace tamis::command
