// cache_line and register_blocked: blocks with a key's bits anywhere in them.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/open_block.cc"
#include "hwy/foreach_target.h"  // first, so that all below is compiled once a target
#include "hwy/highway.h"
#include "simd/tables.h"
#if HWY_TARGET != HWY_SCALAR
#include "simd/open_block-inl.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace tamis::simd::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR
VariantKernels CacheLineKernels() { return {}; }
VariantKernels RegisterBlockedKernels() { return {}; }
#else
VariantKernels CacheLineKernels() { return OpenKernelsOf<LinePositions>(); }
VariantKernels RegisterBlockedKernels() { return OpenKernelsOf<WordMasks>(); }
#endif

}  // namespace tamis::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tamis::simd {

HWY_EXPORT(CacheLineKernels);
HWY_EXPORT(RegisterBlockedKernels);

VariantKernels CacheLineFor(int64_t target) {
  return HWY_DISPATCH_TABLE(CacheLineKernels)[TableIndex(target)]();
}
VariantKernels RegisterBlockedFor(int64_t target) {
  return HWY_DISPATCH_TABLE(RegisterBlockedKernels)[TableIndex(target)]();
}

}  // namespace tamis::simd
#endif
