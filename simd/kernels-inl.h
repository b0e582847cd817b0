// A variant's kernels, as the table that backends take: which loop runs which call.

#if defined(TAMIS_SIMD_KERNELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TAMIS_SIMD_KERNELS_INL_H_
#undef TAMIS_SIMD_KERNELS_INL_H_
#else
#define TAMIS_SIMD_KERNELS_INL_H_
#endif

#include "hwy/highway.h"
#include "simd/owned-inl.h"
#include "simd/whole-inl.h"
#include "tamis/backend.h"

HWY_BEFORE_NAMESPACE();
namespace tamis::simd::HWY_NAMESPACE {

template <class Ops, Verb kVerb>
uint64_t Run(const Batch& batch, BlockRange owned, uint8_t* answers) {
  if (owned == BlockRange::All(batch.spec)) {
    return WholeLoop<Ops, kVerb>(batch, answers).Run(batch.keys, batch.spec.seed);
  }
  return OwnedLoop<Ops, kVerb>(batch, owned, answers).Run();
}

template <class Ops>
void Insert(const Batch& batch, BlockRange owned) {
  Run<Ops, Verb::kInsert>(batch, owned, nullptr);
}

template <class Ops>
uint64_t Contains(const Batch& batch, uint8_t* answers) {
  return WholeLoop<Ops, Verb::kContains>(batch, answers).Run(batch.keys, batch.spec.seed);
}

template <class Ops>
VariantKernels KernelsOf() {
  return {
      .insert = Insert<Ops>, .insert_new = Run<Ops, Verb::kInsertNew>, .contains = Contains<Ops>};
}

}  // namespace tamis::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TAMIS_SIMD_KERNELS_INL_H_
