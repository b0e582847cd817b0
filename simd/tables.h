// Function tables of each Highway target, and how to find them. One function a .cc file that is
// compiled for every target; a new variant adds a line here.
#ifndef TAMIS_SIMD_TABLES_H_
#define TAMIS_SIMD_TABLES_H_

#include <cstddef>
#include <cstdint>

#include "hwy/targets.h"
#include "tamis/backend.h"

namespace tamis::simd {

using HashKernel = decltype(Kernels::hash);
using MergeKernel = decltype(Kernels::merge);

/// Loops for one Highway target, a single bit such as HWY_AVX2, that this build has compiled.
VariantKernels SplitBlockFor(int64_t target);
VariantKernels SplitBlock512For(int64_t target);
VariantKernels ClassicFor(int64_t target);
VariantKernels CacheLineFor(int64_t target);
VariantKernels RegisterBlockedFor(int64_t target);
HashKernel HashFor(int64_t target);
MergeKernel MergeFor(int64_t target);

/// Index of a target in the tables that HWY_EXPORT makes.
inline size_t TableIndex(int64_t target) {
#if (HWY_TARGETS & (HWY_TARGETS - 1)) == 0
  (void)target;  // one target, one entry
  return 0;
#else
  hwy::ChosenTarget chosen;
  chosen.Update(target);
  return chosen.GetIndex();
#endif
}

}  // namespace tamis::simd

#endif  // TAMIS_SIMD_TABLES_H_
