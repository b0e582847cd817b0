// The hash and probe schemes of core/tamis/schemes/ for this instruction set: the same headers, and
// so the same definitions, compiled for numbers in lanes.

#if defined(TAMIS_SIMD_SCHEMES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TAMIS_SIMD_SCHEMES_INL_H_
#undef TAMIS_SIMD_SCHEMES_INL_H_
#else
#define TAMIS_SIMD_SCHEMES_INL_H_
#endif

#include "hwy/highway.h"
#include "simd/lanes-inl.h"
#include "tamis/schemes.h"

HWY_BEFORE_NAMESPACE();
namespace tamis::simd::HWY_NAMESPACE {
#include "tamis/schemes/all-inl.h"
}  // namespace tamis::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TAMIS_SIMD_SCHEMES_INL_H_
