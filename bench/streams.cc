#include "bench/streams.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "bench/pinned.h"

namespace tamis::bench {

uint64_t ReadAll(std::span<const uint64_t> words) {
  // Independent sums, for the compiler to keep in vectors.
  std::array<uint64_t, 32> sums = {};
  size_t i = 0;
  for (; i + sums.size() <= words.size(); i += sums.size()) {
    for (size_t j = 0; j < sums.size(); ++j) sums[j] ^= words[i + j];
  }
  for (; i < words.size(); ++i) sums[0] ^= words[i];
  uint64_t all = 0;
  for (const uint64_t sum : sums) all ^= sum;
  return all;
}

void WriteAll(std::span<uint64_t> words, uint64_t value) { std::ranges::fill(words, value); }

double AccessSeconds(Blocks blocks, Access access, uint64_t count, Prefetching prefetching,
                     uint64_t seed, int threads) {
  std::atomic<uint64_t> sink = 0;
  const auto one = [&](int thread) {
    sink += RandomAccesses(blocks, access, count / static_cast<uint64_t>(threads), prefetching,
                           seed + static_cast<uint64_t>(thread) * count);
  };
  if (threads == 1) return ThreadSeconds([&] { one(0); });
  return TogetherSeconds(threads, one);
}

}  // namespace tamis::bench
