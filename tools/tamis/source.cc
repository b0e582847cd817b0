#include "source.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <string_view>
#include <utility>

#include "codec.h"
#include "read_ahead.h"
#include "tamis/error.h"

namespace tamis::command {

namespace {

constexpr size_t kReadBytes = size_t{256} << 10;

// The file as it stands, after the bytes that were read to tell what it is.
class PlainSource : public Source {
 public:
  PlainSource(Descriptor file, std::string name, TemporaryFile* copy)
      : file_(std::move(file)), name_(std::move(name)), copy_(copy) {
    while (CouldBeCompressed(first())) {
      const size_t got = ReadFile(first_.data() + held_, kMagicBytes - held_);
      if (got == 0) break;
      held_ += got;
    }
  }

  std::string_view first() const { return {first_.data(), held_}; }
  const std::string& name() const { return name_; }
  void StopOn(const std::atomic<bool>& stop) { stop_ = &stop; }

  size_t Read(char* into, size_t bytes) override {
    if (held_ > 0) {
      const size_t some = std::min(bytes, held_);
      std::memcpy(into, first_.data(), some);
      held_ -= some;
      std::memmove(first_.data(), first_.data() + some, held_);
      return some;
    }
    return ReadFile(into, bytes);
  }
  bool Ready() override { return held_ > 0 || ReadyToRead(file_.fd()); }
  void Skip(uint64_t bytes) override {
    struct stat status = {};
    const bool regular = fstat(file_.fd(), &status) == 0 && S_ISREG(status.st_mode);
    if (!regular || static_cast<uint64_t>(status.st_size) < bytes) return Source::Skip(bytes);
    if (lseek(file_.fd(), static_cast<off_t>(bytes), SEEK_SET) < 0) ThrowErrno(name_);
    held_ = 0;
    consumed_ = bytes;
  }
  uint64_t consumed() const override { return consumed_; }

 private:
  size_t ReadFile(char* into, size_t bytes) {
    const size_t got = command::Read(file_.fd(), into, bytes, name_, stop_);
    consumed_ += got;
    if (copy_ != nullptr) copy_->Append(into, got);
    return got;
  }

  Descriptor file_;
  std::string name_;
  TemporaryFile* copy_;
  std::array<char, kMagicBytes> first_ = {};
  size_t held_ = 0;
  std::atomic<uint64_t> consumed_ = 0;
  const std::atomic<bool>* stop_ = nullptr;
};

// What a compressed file holds: all of its members, one after the other.
class DecodedText : public StoppableSource {
 public:
  DecodedText(std::unique_ptr<PlainSource> file, Compression compression)
      : file_(std::move(file)),
        compression_(compression),
        decoder_(MakeDecoder(compression)),
        in_(kReadBytes) {
    file_->StopOn(stop_);
  }

  size_t Read(char* into, size_t bytes) override {
    while (!stop_) {
      if (begin_ == end_ && (between_ || starved_)) {
        Refill();
        if (begin_ == end_) return 0;  // after the last member, or stopped
      }
      if (std::exchange(between_, false)) decoder_->Restart();
      const size_t produced = Decode({into, bytes});
      if (produced > 0) return produced;
    }
    return 0;
  }
  bool Ready() override { return begin_ != end_ || !starved_ || file_->Ready(); }
  uint64_t consumed() const override { return file_->consumed(); }

 private:
  void Refill() {
    end_ = file_->Read(in_.data(), in_.size());
    begin_ = 0;
    if (end_ == 0 && !between_ && !stop_) {
      throw FileError(fmt::format("{}: ends at byte {} within its {} data: truncated",
                                  file_->name(), offset_, NameOf(compression_)));
    }
  }

  size_t Decode(std::span<char> out) {
    const std::string_view in(in_.data() + begin_, end_ - begin_);
    try {
      const Decoder::Step step = decoder_->Decode(in, out);
      begin_ += step.consumed;
      offset_ += step.consumed;
      between_ = step.ended;
      starved_ = step.produced < out.size();  // what it had it has given
      if (step.consumed == 0 && step.produced == 0 && !step.ended && !in.empty()) {
        throw Damaged{"the compressed data are damaged"};
      }
      return step.produced;
    } catch (const Damaged& damaged) {
      throw FileError(fmt::format("{}: near byte {}: {} ({})", file_->name(), offset_, damaged.what,
                                  NameOf(compression_)));
    }
  }

  std::unique_ptr<PlainSource> file_;
  Compression compression_;
  std::unique_ptr<Decoder> decoder_;
  std::vector<char> in_;
  size_t begin_ = 0;  // of in_, what is not yet decoded
  size_t end_ = 0;
  uint64_t offset_ = 0;   // in the file, of begin_
  bool between_ = false;  // a member has ended, and no other has begun
  bool starved_ = true;   // the decoder has given all that it could
};

}  // namespace

void Source::Skip(uint64_t bytes) {
  std::vector<char> scratch(kReadBytes);
  while (bytes > 0) {
    const size_t got = Read(scratch.data(), std::min<uint64_t>(bytes, scratch.size()));
    if (got == 0) throw FileError(fmt::format("it ends {} bytes before the place to go on", bytes));
    bytes -= got;
  }
}

std::unique_ptr<Source> MakeSource(Descriptor file, std::string name, TemporaryFile* copy) {
  auto plain = std::make_unique<PlainSource>(std::move(file), std::move(name), copy);
  const Compression compression = Recognise(plain->first());
  if (compression == Compression::kNone) return plain;
  return std::make_unique<ReadAhead>(std::make_unique<DecodedText>(std::move(plain), compression));
}

bool IsCompressed(int fd) {
  std::array<char, kMagicBytes> first = {};
  const off_t at = std::max<off_t>(lseek(fd, 0, SEEK_CUR), 0);
  const ssize_t got = pread(fd, first.data(), first.size(), at);
  return got > 0 && Recognise({first.data(), static_cast<size_t>(got)}) != Compression::kNone;
}

}  // namespace tamis::command
