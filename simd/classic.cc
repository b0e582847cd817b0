// classic: bits anywhere, by any probe scheme.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/classic.cc"
#include "hwy/foreach_target.h"  // first, so that all below is compiled once a target
#include "hwy/highway.h"
#include "simd/tables.h"
#if HWY_TARGET != HWY_SCALAR
#include "simd/classic-inl.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace tamis::simd::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR
VariantKernels ClassicKernels() { return {}; }
#else
VariantKernels ClassicKernels() {
  return {.insert = ClassicInsert, .insert_new = ClassicInsertNew, .contains = RunClassicContains};
}
#endif

}  // namespace tamis::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tamis::simd {

HWY_EXPORT(ClassicKernels);

VariantKernels ClassicFor(int64_t target) {
  return HWY_DISPATCH_TABLE(ClassicKernels)[TableIndex(target)]();
}

}  // namespace tamis::simd
#endif
