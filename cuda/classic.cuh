// A classic filter as device code sees it: which probe scheme, how many bits, are values that all
// lanes share, so that one kernel serves every scheme. Positions come from the schemes' own walks
// (tamis/schemes.h), and a lane does one key after the other: enough lanes are under way to wait
// for memory.
#ifndef TAMIS_CUDA_CLASSIC_CUH_
#define TAMIS_CUDA_CLASSIC_CUH_

#include <cstdint>

#include "cuda/hash_keys.cuh"
#include "tamis/cuda/device_view.cuh"
#include "tamis/schemes.h"

namespace tamis::gpu {

struct ClassicView {
  uint64_t* words;
  BitRange range;
  int k;
  ProbeScheme probe;

  static ClassicView Of(const Spec& spec, std::byte* bits) {
    return {.words = reinterpret_cast<uint64_t*>(bits),
            .range = BitRange(spec.m),
            .k = spec.k,
            .probe = spec.probe};
  }

  /// Calls f(position, i) for the k bits of the key with this hash, i from 0 on, until it returns
  /// false; returns whether it never did.
  template <typename F>
  TAMIS_HOST_DEVICE bool EachPosition(const uint64_t* hash, F&& f) const {
    bool all = true;
    VisitId(ProbeSchemes(), static_cast<uint32_t>(probe), [&]<class P>(P) {
      typename P::template Walk<uint64_t> walk(hash, range);
#if defined(__CUDACC__)
#pragma unroll 1
#endif
      for (int i = 0; all && i < k; ++i) all = f(walk.Next(), i);
    });
    return all;
  }

  TAMIS_HOST_DEVICE bool IsSet(uint64_t position) const {
    return ((AtomicLoad(words + position / 64) >> (position % 64)) & 1) != 0;
  }
  TAMIS_HOST_DEVICE void Set(uint64_t position) const {
    AtomicOr(words + position / 64, uint64_t{1} << (position % 64));
  }

  /// Whether the key with this hash is present.
  TAMIS_HOST_DEVICE bool Contains(const uint64_t* hash) const {
    return EachPosition(hash, [&](uint64_t position, int /*i*/) { return IsSet(position); });
  }

  /// Puts it in, with others at once. If `look_first`, ORs only what is missing.
  TAMIS_HOST_DEVICE void Insert(const uint64_t* hash, bool look_first) const {
    EachPosition(hash, [&](uint64_t position, int /*i*/) {
      if (!look_first || !IsSet(position)) Set(position);
      return true;
    });
  }
};

}  // namespace tamis::gpu

#endif  // TAMIS_CUDA_CLASSIC_CUH_
