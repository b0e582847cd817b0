#include "estimate.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "buffer.h"
#include "descriptor.h"
#include "input.h"
#include "source.h"

namespace tamis::command {

namespace {

constexpr uint64_t kBlock = 32 << 10;
constexpr uint64_t kBlocks = 128;

// Delimiters in the block of `file` at `offset`, and how many bytes of it there are.
struct Sample {
  uint64_t bytes = 0;
  uint64_t records = 0;
};

Sample Look(int fd, uint64_t offset, Buffer& buffer, char delimiter) {
  buffer.Reserve(kBlock);
  const ssize_t got = pread(fd, buffer.data(), kBlock, static_cast<off_t>(offset));
  if (got <= 0) return {};  // reading in earnest will say what is wrong
  const auto count = std::count(buffer.data(), buffer.data() + got, delimiter);
  return {static_cast<uint64_t>(got), static_cast<uint64_t>(count)};
}

uint64_t Records(const std::vector<Sample>& samples) {
  uint64_t records = 0;
  for (const Sample& sample : samples) records += sample.records;
  return records;
}

// Mean density plus five standard errors, for `total` bytes.
uint64_t Bound(const std::vector<Sample>& samples, uint64_t total) {
  double bytes = 0;
  for (const Sample& sample : samples) bytes += static_cast<double>(sample.bytes);
  if (bytes == 0) return 0;
  const double mean = static_cast<double>(Records(samples)) / bytes;
  double squares = 0;
  for (const Sample& sample : samples) {
    const double even = mean * static_cast<double>(sample.bytes);
    squares +=
        (static_cast<double>(sample.records) - even) * (static_cast<double>(sample.records) - even);
  }
  const double density = std::fmin(mean + 5 * std::sqrt(squares) / bytes, 1);
  return static_cast<uint64_t>(density * static_cast<double>(total));
}

}  // namespace

uint64_t EstimateRecords(const std::vector<std::string>& names, char delimiter) {
  std::vector<uint64_t> ends;  // of each file, were they laid end to end
  ends.reserve(names.size());
  for (const std::string& name : names) {
    ends.push_back((ends.empty() ? 0 : ends.back()) + RegularSize(name).value_or(0));
  }
  const uint64_t total = ends.back();
  const bool all = total <= kBlock * kBlocks;
  const uint64_t step = all ? kBlock : total / kBlocks;
  std::vector<Sample> samples;
  Buffer buffer;
  uint64_t next = 0;  // where the next block begins, counted like `ends`
  for (size_t i = 0; i < names.size(); ++i) {
    const uint64_t begin = i == 0 ? 0 : ends[i - 1];
    if (all) next = begin;
    if (next >= ends[i]) continue;
    const Descriptor file = OpenInput(names[i]);
    const uint64_t base = Position(file.fd());
    for (; next < ends[i]; next += step) {
      samples.push_back(Look(file.fd(), base + next - begin, buffer, delimiter));
    }
  }
  // A last record needs no delimiter, in each file.
  return names.size() + (all ? Records(samples) : Bound(samples, total));
}

uint64_t GuessRecords(const std::vector<std::string>& names, char delimiter, uint64_t total_bytes) {
  constexpr size_t kText = size_t{8} << 20;  // far more than is decompressed ahead
  const std::unique_ptr<Source> source = MakeSource(OpenInput(names.front()), names.front());
  Buffer buffer;
  buffer.Reserve(kBlock);
  uint64_t text = 0;
  uint64_t records = 0;
  while (text < kText) {
    const size_t got = source->Read(buffer.data(), kBlock);
    if (got == 0) break;
    text += got;
    records += static_cast<uint64_t>(std::count(buffer.data(), buffer.data() + got, delimiter));
  }
  const auto read = static_cast<double>(std::max<uint64_t>(source->consumed(), 1));
  const double share = std::fmax(1, static_cast<double>(total_bytes) / read);
  return static_cast<uint64_t>(static_cast<double>(records) * share);
}

}  // namespace tamis::command
