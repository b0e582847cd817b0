#include "bench/limits.h"

#include <cstring>
#include <limits>

#include "bench/timing.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/limits.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tamis::bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t kStage = 1024;

// Places made a stage at a time by the cheapest mixing that is still random enough, as 32-bit
// arrays.
struct Places {
  HWY_ALIGN uint32_t block[kStage + kMaxDistance + 16];

  // Appends kStage places behind the first `size`.
  HWY_INLINE void Make(size_t size, uint32_t counter, uint32_t blocks) {
    const hn::CappedTag<uint32_t, 16> d;
    const auto step = hn::Iota(d, 0);
    for (size_t i = 0; i < kStage; i += hn::Lanes(d)) {
      auto x = hn::Add(step, hn::Set(d, counter + static_cast<uint32_t>(i)));
      x = hn::Mul(x, hn::Set(d, 0x9E3779B1));
      x = hn::Mul(hn::Xor(x, hn::ShiftRight<15>(x)), hn::Set(d, 0x85EBCA77));
      x = hn::Xor(x, hn::ShiftRight<13>(x));
      hn::StoreU(x, d, block + size + i);
    }
    // Range reduction in plain code that compilers turn into vectors.
    for (size_t i = size; i < size + kStage; ++i) {
      block[i] = static_cast<uint32_t>((uint64_t{block[i]} * blocks) >> 32);
    }
  }
};

template <size_t kBlockBytes, Access kAccess, int kLevel>
uint64_t Run(Blocks blocks, uint64_t count, size_t distance, uint64_t seed) {
  const hn::CappedTag<uint32_t, kBlockBytes / 4> d;
  using V = hn::Vec<decltype(d)>;
  constexpr int kLocality = kLevel == 1 ? 3 : 2;
  Places places;
  V sum = hn::Zero(d);
  const volatile uint32_t nothing =
      0;  // so that the compiler cannot see what kUpdate leaves as it is
  const V no_bits = hn::Set(d, nothing);
  const auto at = [&](size_t i) HWY_ATTR {
    return reinterpret_cast<uint32_t*>(blocks.data + uint64_t{places.block[i]} * kBlockBytes);
  };
  auto counter = static_cast<uint32_t>(seed);
  places.Make(0, counter, blocks.count);
  for (size_t i = 0; i < distance; ++i) __builtin_prefetch(at(i), 0, kLocality);
  for (uint64_t done = 0; done < count; done += kStage) {
    // The first `distance` places are under way; make the next stage behind them.
    if (done != 0) std::memmove(places.block, places.block + kStage, distance * sizeof(uint32_t));
    counter += kStage;
    places.Make(distance, counter, blocks.count);
    for (size_t i = 0; i < kStage; ++i) {
      if (distance != 0) __builtin_prefetch(at(i + distance), 0, kLocality);
      for (size_t word = 0; word < kBlockBytes / 4; word += hn::Lanes(d)) {
        const V words = hn::LoadU(d, at(i) + word);
        sum = hn::Xor(sum, words);
        if constexpr (kAccess == Access::kUpdate)
          hn::StoreU(hn::Or(words, no_bits), d, at(i) + word);
      }
    }
  }
  HWY_ALIGN uint32_t lanes[16] = {};
  hn::StoreU(sum, d, lanes);
  return lanes[0];
}

template <Access kAccess, int kLevel>
uint64_t Dispatch(Blocks blocks, uint64_t count, uint32_t distance, uint64_t seed) {
  return blocks.bytes == 32 ? Run<32, kAccess, kLevel>(blocks, count, distance, seed)
                            : Run<64, kAccess, kLevel>(blocks, count, distance, seed);
}

uint64_t Accesses(Blocks blocks, Access access, uint64_t count, Prefetching how, uint64_t seed) {
  if (access == Access::kRead) {
    return how.level == 1 ? Dispatch<Access::kRead, 1>(blocks, count, how.distance, seed)
                          : Dispatch<Access::kRead, 2>(blocks, count, how.distance, seed);
  }
  return how.level == 1 ? Dispatch<Access::kUpdate, 1>(blocks, count, how.distance, seed)
                        : Dispatch<Access::kUpdate, 2>(blocks, count, how.distance, seed);
}

}  // namespace tamis::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tamis::bench {

HWY_EXPORT(Accesses);

uint64_t RandomAccesses(Blocks blocks, Access access, uint64_t count, Prefetching prefetching,
                        uint64_t seed) {
  return HWY_DYNAMIC_DISPATCH(Accesses)(blocks, access, count, prefetching, seed);
}

Prefetching FindBestPrefetching(Blocks blocks, Access access) {
  constexpr uint64_t kCount = uint64_t{1} << 18;
  constexpr int kRuns = 5;
  Prefetching best{0, 1};
  double best_seconds = std::numeric_limits<double>::infinity();
  uint64_t seed = 1;
  volatile uint64_t sink = 0;
  const auto attempt = [&](Prefetching how) {
    for (int run = 0; run < kRuns; ++run) {
      const double took = ThreadSeconds(
          [&] { sink = sink + RandomAccesses(blocks, access, kCount, how, seed += kCount); });
      if (took < best_seconds) {
        best_seconds = took;
        best = how;
      }
    }
  };
  attempt({0, 1});
  for (uint32_t distance = 16; distance <= kMaxDistance; distance *= 2) {
    attempt({distance, 1});
    attempt({distance, 2});
  }
  return best;
}

}  // namespace tamis::bench
#endif
