#include "input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <glob.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace tamis::command {

namespace {

bool IsStandard(const std::string& name) { return name == "-"; }

}  // namespace

std::string InputName(const std::string& name) {
  return IsStandard(name) ? "standard input" : name;
}

uint64_t Position(int fd) {
  return static_cast<uint64_t>(std::max<off_t>(lseek(fd, 0, SEEK_CUR), 0));
}

std::optional<struct stat> InputStatus(const std::string& name) {
  if (!IsStandard(name)) return StatOf(name);
  struct stat status = {};
  if (fstat(STDIN_FILENO, &status) != 0) ThrowErrno(InputName(name));
  return status;
}

std::optional<uint64_t> RegularSize(const std::string& name) {
  const std::optional<struct stat> found = InputStatus(name);
  if (!found) {
    errno = ENOENT;
    ThrowErrno(name);
  }
  const struct stat& status = *found;
  if (S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    ThrowErrno(InputName(name));
  }
  if (!IsStandard(name) && faccessat(AT_FDCWD, name.c_str(), R_OK, AT_EACCESS) != 0) {
    ThrowErrno(name);
  }
  if (!S_ISREG(status.st_mode)) return std::nullopt;
  const auto size = static_cast<uint64_t>(status.st_size);
  return size - std::min(size, IsStandard(name) ? Position(STDIN_FILENO) : 0);
}

Descriptor OpenInput(const std::string& name) {
  if (IsStandard(name)) return {STDIN_FILENO, false};
  Descriptor file(open(name.c_str(), O_RDONLY | O_CLOEXEC), true);
  if (!file.open()) ThrowErrno(name);
  return file;
}

Input::Input(const std::vector<std::string>& names, const RecordFormat& format, int ahead)
    : format_(format), framer_(format), ahead_(ahead), total_bytes_(0) {
  for (const std::string& name : names) AddNames(name);
  if (names_.empty()) names_.emplace_back("-");
  for (const std::string& name : names_) {
    const std::optional<uint64_t> size = RegularSize(name);
    total_bytes_ = total_bytes_ && size ? std::optional(*total_bytes_ + *size) : std::nullopt;
    compressed_ = compressed_ || (size && IsCompressed(OpenInput(name).fd()));
  }
  if (total_bytes_ == 0) total_bytes_.reset();  // empty, or made up by the system as it is read
}

void Input::AddNames(const std::string& name) {
  if (name.find_first_of("*?[") == std::string::npos || InputStatus(name)) {
    names_.push_back(name);
    return;
  }
  glob_t found = {};
  if (glob(name.c_str(), 0, nullptr, &found) == 0) {
    names_.insert(names_.end(), found.gl_pathv, found.gl_pathv + found.gl_pathc);
  } else {
    names_.push_back(name);  // to be refused as missing
  }
  globfree(&found);
}

void Input::KeepForRewind() { replay_ = std::make_unique<Replay>(names_); }

void Input::Rewind() {
  source_.reset();
  later_.clear();
  replay_->Rewind();
  again_ = true;
  next_ = carried_ = 0;
  done_ = 0;
}

std::unique_ptr<Source> Input::Open(size_t index) {
  const std::string& name = names_[index];
  Descriptor file = again_ ? replay_->Open(index) : Descriptor();
  if (!file.open()) file = OpenInput(name);
  // Hints; what they do not apply to refuses them, and nothing is lost.
  posix_fadvise(file.fd(), 0, 0, POSIX_FADV_SEQUENTIAL);
  fcntl(file.fd(), F_SETPIPE_SZ, 1 << 20);
  TemporaryFile* copy = replay_ == nullptr || again_ ? nullptr : replay_->CopyOf(index);
  return MakeSource(std::move(file), InputName(name), copy);
}

bool Input::OpenNext() {
  if (next_ == names_.size()) return false;
  if (later_.empty()) {
    source_ = Open(next_);
  } else {
    source_ = std::move(later_.front());
    later_.pop_front();
  }
  ++next_;
  at_ = 0;
  OpenAhead();
  return true;
}

// Opens compressed files before their turn. A pipe waits for its own: opening one may take until
// somebody writes to it.
void Input::OpenAhead() {
  while (later_.size() + 1 < static_cast<size_t>(ahead_) && next_ + later_.size() < names_.size()) {
    const std::string& name = names_[next_ + later_.size()];
    if (IsStandard(name) || !RegularSize(name) || !IsCompressed(OpenInput(name).fd())) return;
    later_.push_back(Open(next_ + later_.size()));
  }
}

InputPosition Input::position() const {
  if (source_ == nullptr) return {.file = next_, .offset = 0};
  return {.file = next_ - 1, .offset = at_};
}

void Input::GoTo(const InputPosition& position) {
  for (; next_ < position.file; ++next_) done_ += RegularSize(names_.at(next_)).value_or(0);
  if (position.offset == 0) return;
  const std::string name = InputName(names_.at(next_));
  OpenNext();
  try {
    source_->Skip(position.offset);
  } catch (const FileError& error) {
    throw FileError(fmt::format("{}: byte {}: {}", name, position.offset, error.what()));
  }
  at_ = position.offset;
}

bool Input::Next(Chunk& chunk) {
  while (source_ != nullptr || OpenNext()) {
    chunk.begin = 0;
    chunk.file = next_ - 1;
    chunk.file_offset = at_;
    if (Fill(chunk)) {
      at_ += chunk.size;
      chunk.input_bytes = done_ + (source_ == nullptr ? 0 : source_->consumed());
      return true;
    }
  }
  return false;
}

// Reads from the source until the chunk is full or, with something whole to give, the source
// pauses. Returns false if the file is at its end and nothing was left of it.
bool Input::Fill(Chunk& chunk) {
  chunk.buffer.Trim(2 * kChunkBytes);
  chunk.buffer.Reserve(kChunkBytes + kTextPadding);
  char* text = chunk.buffer.data();
  size_t used = std::exchange(carried_, 0);
  if (used > 0) std::memcpy(text, carry_.data(), used);
  framer_.Begin();
  size_t whole = framer_.EndOf(text, 0, used, false);  // bytes of whole records
  while (whole == 0 || (used < kChunkBytes && source_->Ready())) {
    const bool is_long = used >= kChunkBytes;
    size_t room = (is_long ? chunk.buffer.capacity() - kTextPadding : kChunkBytes) - used;
    if (room == 0) {
      if (on_long_record_) on_long_record_();
      chunk.buffer.Reserve(2 * used + kTextPadding);
      text = chunk.buffer.data();
      room = used;
    }
    const size_t got = source_->Read(text + used, std::min(room, kChunkBytes));
    if (got == 0) {
      done_ += source_->consumed();
      source_.reset();
      chunk.size = used;
      chunk.unterminated = used != whole;
      chunk.paused = false;
      return used > 0;
    }
    // A record that outgrew a chunk ends at its own delimiter, so that it is alone.
    const size_t end = framer_.EndOf(text, used, used + got, is_long);
    if (end > 0) whole = end;
    used += got;
  }
  carried_ = used - whole;
  carry_.Reserve(carried_);
  if (carried_ > 0) std::memcpy(carry_.data(), text + whole, carried_);
  chunk.size = whole;
  chunk.unterminated = false;
  chunk.paused = used < kChunkBytes;
  return true;
}

}  // namespace tamis::command
