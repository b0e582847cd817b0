#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <utility>

namespace tamis::command {

Progress::Progress(bool wanted, std::optional<uint64_t> total_bytes)
    : on_(wanted && isatty(STDERR_FILENO) == 1), total_bytes_(total_bytes) {}

void Progress::Show(uint64_t bytes, uint64_t records, const AnyFilter& filter, double lost) {
  constexpr std::chrono::milliseconds kBetween(200);
  if (!on_) return;
  const Clock::time_point now = Clock::now();
  if (now - last_ < kBetween) return;
  last_ = now;
  shown_ = true;
  const std::string share = total_bytes_
                                ? fmt::format("{:.0f} %, ", 100.0 * static_cast<double>(bytes) /
                                                                static_cast<double>(*total_bytes_))
                                : "";
  fmt::print(stderr,
             "\r\x1b[K{}{} lines, {:.1f} Mlines/s, filter {:.0f} % full, predicted loss {:.1f}",
             share, records, static_cast<double>(records) / SecondsSince(start_) / 1e6,
             100 * ExpectedFill(filter), lost);
  std::fflush(stderr);
}

void Progress::Clear() {
  if (std::exchange(shown_, false)) fmt::print(stderr, "\r\x1b[K");
}

}  // namespace tamis::command
