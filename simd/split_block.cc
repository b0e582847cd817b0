// split_block: blocks of eight 32-bit words.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/split_block.cc"
#include "hwy/foreach_target.h"  // first, so that all below is compiled once a target
#include "hwy/highway.h"
#include "simd/tables.h"
#if HWY_TARGET != HWY_SCALAR
#include "simd/block-inl.h"
#include "simd/kernels-inl.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace tamis::simd::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR
VariantKernels SplitBlock() { return {}; }
#else
VariantKernels SplitBlock() { return KernelsOf<BlockOps<uint32_t> >(); }
#endif

}  // namespace tamis::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tamis::simd {

HWY_EXPORT(SplitBlock);

VariantKernels SplitBlockFor(int64_t target) {
  return HWY_DISPATCH_TABLE(SplitBlock)[TableIndex(target)]();
}

}  // namespace tamis::simd
#endif
