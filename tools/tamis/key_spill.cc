#include "key_spill.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tamis::command {

namespace {

// What stands before the bytes of each key.
struct Header {
  uint64_t number;
  uint64_t hash;
  uint64_t bytes;
};

constexpr size_t kReadBytes = size_t{256} << 10;

// Goes through a file with a window that is as long as what is asked for, at least.
class Window {
 public:
  explicit Window(const TemporaryFile& file) : file_(file) {}

  bool AtEnd() const { return begin_ == end_ && offset_ == file_.size(); }

  // The next `bytes` bytes; they stay until the next call.
  const char* Take(size_t bytes) {
    if (end_ - begin_ < bytes) Refill(bytes);
    return buffer_.data() + std::exchange(begin_, begin_ + bytes);
  }

 private:
  void Refill(size_t bytes) {
    buffer_.Reserve(std::max(bytes, kReadBytes));
    const size_t kept = end_ - begin_;
    if (kept > 0) std::memmove(buffer_.data(), buffer_.data() + begin_, kept);
    const size_t some = std::min<uint64_t>(buffer_.capacity() - kept, file_.size() - offset_);
    file_.ReadAt(offset_, buffer_.data() + kept, some);
    offset_ += some;
    begin_ = 0;
    end_ = kept + some;
  }

  const TemporaryFile& file_;
  uint64_t offset_ = 0;
  Buffer buffer_;
  size_t begin_ = 0;
  size_t end_ = 0;
};

}  // namespace

void KeySpill::Append(const NumberedKey& key) {
  const Header header = {.number = key.number, .hash = key.hash, .bytes = key.bytes.size()};
  Put(&header, sizeof header);
  Put(key.bytes.data(), key.bytes.size());
}

void KeySpill::Put(const void* data, size_t bytes) {
  buffer_.Reserve(buffer_bytes_);
  if (bytes > buffer_bytes_ - used_) Flush();
  if (bytes > buffer_bytes_) {
    file_->Append(static_cast<const char*>(data), bytes);
    return;
  }
  std::memcpy(buffer_.data() + used_, data, bytes);
  used_ += bytes;
}

void KeySpill::Flush() {
  if (!file_) file_.emplace();
  file_->Append(buffer_.data(), std::exchange(used_, 0));
}

void KeySpill::Close() {
  if (used_ > 0) Flush();
  buffer_.Trim(0);
}

void KeySpill::Drain(const std::function<void(const NumberedKey&)>& call) {
  if (!file_) return;
  Window window(*file_);
  while (!window.AtEnd()) {
    Header header = {};
    std::memcpy(&header, window.Take(sizeof header), sizeof header);
    call({.number = header.number,
          .hash = header.hash,
          .bytes = {window.Take(header.bytes), header.bytes}});
  }
  file_.reset();
}

}  // namespace tamis::command
