#include "progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "format.h"

namespace tamis::command {

namespace {

// "0:42", "3:01:00".
std::string ClockText(double seconds) {
  const auto whole = static_cast<uint64_t>(std::min(seconds, 1e9));
  const uint64_t minutes = whole / 60;
  return minutes < 60 ? fmt::format("{}:{:02}", minutes, whole % 60)
                      : fmt::format("{}:{:02}:{:02}", minutes / 60, minutes % 60, whole % 60);
}

// A line longer than the terminal is wide would wrap, and what has wrapped is not taken away.
size_t TerminalWidth() {
  winsize size = {};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace

Progress::Progress(bool wanted, std::optional<uint64_t> total_bytes)
    : on_(wanted && isatty(STDERR_FILENO) == 1), total_bytes_(total_bytes) {}

void Progress::Again(std::string_view what) {
  what_ = fmt::format("{}: ", what);
  start_ = Clock::now();
  bytes_before_ = records_before_ = 0;
}

void Progress::GoOnFrom(uint64_t bytes, uint64_t records) {
  bytes_before_ = bytes;
  records_before_ = records;
}

void Progress::Show(uint64_t bytes, uint64_t records, const AnyFilter& filter, double lost) {
  constexpr std::chrono::milliseconds kBetween(200);
  if (!on_) return;
  const Clock::time_point now = Clock::now();
  if (now - last_ < kBetween) return;
  last_ = now;
  shown_ = true;
  const double seconds = SecondsSince(start_);
  std::string done = what_ + ByteText(bytes);
  std::string left;
  if (total_bytes_) {
    const uint64_t total = std::max(*total_bytes_, bytes);  // a file may have grown
    const auto share = static_cast<double>(bytes) / static_cast<double>(total);
    done += fmt::format(" of {} ({:.0f} %)", ByteText(total), 100 * share);
    if (bytes > bytes_before_) {
      const double rate = static_cast<double>(bytes - bytes_before_) / seconds;
      left = fmt::format(", {} left", ClockText(static_cast<double>(total - bytes) / rate));
    }
  }
  const std::string line = fmt::format(
      "{}, {:.3g} Mlines, {:.2f} Mlines/s{}, filter {:.0f} % full, predicted loss {:.1f}", done,
      static_cast<double>(records) / 1e6,
      static_cast<double>(records - records_before_) / seconds / 1e6, left,
      100 * ExpectedFill(filter), lost);
  fmt::print(stderr, "\r{}\x1b[K", std::string_view(line).substr(0, TerminalWidth() - 1));
  std::fflush(stderr);
}

void Progress::Clear() {
  if (std::exchange(shown_, false)) fmt::print(stderr, "\r\x1b[K");
}

}  // namespace tamis::command
