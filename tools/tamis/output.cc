#include "output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "tamis/answers.h"
#include "tamis/error.h"

namespace tamis::command {

namespace {

constexpr size_t kWriteBytes = size_t{1} << 20;

// The index of the first answer at or after `i` that equals `wanted`; at most `end`.
uint64_t FindAnswer(const uint8_t* answers, uint64_t i, uint64_t end, bool wanted) {
  while (i < end) {
    const unsigned byte = wanted ? answers[i / 8] : ~unsigned{answers[i / 8]} & 0xff;
    const unsigned rest = byte >> (i % 8);
    if (rest != 0) return std::min(end, i + static_cast<uint64_t>(std::countr_zero(rest)));
    i = i / 8 * 8 + 8;
  }
  return end;
}

void RequireOther(const std::optional<struct stat>& output, const Input& input) {
  if (!output) return;
  for (const std::string& name : input.names()) {
    const std::optional<struct stat> status = InputStatus(name);
    if (status && SameFile(*status, *output)) {
      throw InvalidArgument(InputName(name) + " is also the output: give that another name");
    }
  }
}

std::unique_ptr<Encoder> MakeEncoderFor(const std::string& name) {
  const Compression compression = FromSuffix(name);
  return compression == Compression::kNone ? nullptr : MakeEncoder(compression);
}

}  // namespace

void RequireWritable(const std::string& name) {
  const AtomicFile trial(name);  // which leaves nothing behind
}

void RequireNoInput(const Output& output, const Input& input) {
  RequireOther(output.status(), input);
}

void RequireNoInput(const std::string& output, const Input& input) {
  RequireOther(StatOf(output), input);
}

Output::Output(std::string name, std::string_view record_end)
    : name_(std::move(name)), record_end_(record_end), encoder_(MakeEncoderFor(name_)) {
  if (name_ == "-") {
    name_ = "standard output";
    struct stat status = {};
    if (fstat(STDOUT_FILENO, &status) != 0) ThrowErrno(name_);
    status_ = status;
    direct_ = Descriptor(STDOUT_FILENO, false);
  } else if (status_ = StatOf(name_); !status_ || S_ISREG(status_->st_mode)) {
    file_ = std::make_unique<AtomicFile>(name_);
  } else {
    direct_ = Descriptor(open(name_.c_str(), O_WRONLY | O_CLOEXEC), true);
    if (!direct_.open()) ThrowErrno(name_);
  }
  buffer_.Reserve(kWriteBytes);
}

Output::Output(std::string name, std::string_view record_end, const OutputMark& mark)
    : name_(std::move(name)),
      record_end_(record_end),
      status_(name_ == "-" ? std::nullopt : StatOf(name_)),
      encoder_(MakeEncoderFor(name_)),
      owes_end_(mark.owes_end) {
  if (name_ == "-" || (status_ && !S_ISREG(status_->st_mode))) {
    throw InvalidArgument(
        fmt::format("--checkpoint: {} cannot be cut back to where a killed run is resumed from: "
                    "write to a file",
                    name_ == "-" ? "standard output" : name_));
  }
  file_ = std::make_unique<AtomicFile>(name_, mark.length);
  buffer_.Reserve(kWriteBytes);
}

void Output::AppendRecords(const Chunk& chunk, const std::vector<uint8_t>& bits, bool wanted) {
  for (uint64_t i = 0; i < chunk.records;) {
    const uint64_t first = FindAnswer(bits.data(), i, chunk.records, wanted);
    i = FindAnswer(bits.data(), first, chunk.records, !wanted);
    if (first < i) AppendRun(chunk, first, i);
  }
}

void Output::AppendRun(const Chunk& chunk, uint64_t first, uint64_t end) {
  if (std::exchange(owes_end_, false)) Append(record_end_);
  const size_t from = first == 0 ? 0 : chunk.offsets[first];
  const size_t to = end == chunk.records ? chunk.size : chunk.offsets[end];
  Append(chunk.text().substr(from, to - from));
  owes_end_ = end == chunk.records && chunk.unterminated;
}

void Output::AppendText(std::string_view text, bool unterminated) {
  if (text.empty()) return;
  if (std::exchange(owes_end_, unterminated)) Append(record_end_);
  Append(text);
}

void Output::Append(std::string_view text) {
  if (text.size() > kWriteBytes - used_) {
    const size_t first = text.size() >= kWriteBytes ? 0 : kWriteBytes - used_;
    std::memcpy(buffer_.data() + used_, text.data(), first);
    used_ += first;
    text.remove_prefix(first);
    Flush();
    if (text.size() >= kWriteBytes) {
      Put(text);
      return;
    }
  }
  std::memcpy(buffer_.data() + used_, text.data(), text.size());
  used_ += text.size();
}

void Output::Flush() {
  if (used_ > 0) Put({buffer_.data(), std::exchange(used_, 0)});
}

void Output::Put(std::string_view text) {
  if (encoder_ == nullptr) {
    Write(text);
  } else {
    in_member_ = true;
    encoder_->Append(text, [this](std::string_view some) { Write(some); });
  }
}

void Output::Write(std::string_view text) {
  if (file_ != nullptr) {
    file_->Append(text);
  } else {
    command::Write(direct_.fd(), text.data(), text.size(), name_);
  }
}

// An output without any text still is one empty member.
void Output::EndMember() {
  Flush();
  const bool empty = file_ == nullptr || file_->size() == 0;
  if (encoder_ == nullptr || !(in_member_ || empty)) return;
  encoder_->Finish([this](std::string_view some) { Write(some); });
  in_member_ = false;
}

OutputMark Output::Save() {
  EndMember();
  file_->Sync();
  return {file_->size(), owes_end_};
}

void Output::Commit(Durability durability) {
  EndMember();
  if (file_ != nullptr) {
    file_->Commit(durability);
  } else if (!direct_.Close()) {
    ThrowErrno(name_);
  }
}

}  // namespace tamis::command
