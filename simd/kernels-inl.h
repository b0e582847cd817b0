// A variant's kernels, as the table that backends take: which loop runs which call.

#if defined(TAMIS_SIMD_KERNELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TAMIS_SIMD_KERNELS_INL_H_
#undef TAMIS_SIMD_KERNELS_INL_H_
#else
#define TAMIS_SIMD_KERNELS_INL_H_
#endif

#include "hwy/highway.h"
#include "simd/owned-inl.h"
#include "simd/staged-inl.h"
#include "simd/tables.h"
#include "simd/whole-inl.h"
#include "tamis/backend.h"

HWY_BEFORE_NAMESPACE();
namespace tamis::simd::HWY_NAMESPACE {

// Keys by XXH64, or ready hashes: which loop takes them.
template <class Ops, Verb kVerb>
uint64_t RunReady(const Batch& batch, BlockRange owned, uint8_t* answers) {
  if (owned == BlockRange::All(batch.spec)) {
    using Kind = Keys::Kind;
    const Kind kind = batch.keys.kind();
    if (kind != Kind::kFixed && kind != Kind::kHashes) {
      return StagedLoop<Ops, kVerb>(batch, answers).Run(batch.keys);
    }
    return WholeLoop<Ops, kVerb>(batch, answers).Run(batch.keys, batch.spec.seed);
  }
  return OwnedLoop<Ops, kVerb>(batch, owned, answers).Run();
}

// Keys by another scheme: in pieces, with ready hashes. A function of its own, so that the others
// do not make way for its array.
template <class Ops, Verb kVerb>
HWY_NOINLINE uint64_t RunHashed(const Batch& batch, BlockRange owned, uint8_t* answers) {
  constexpr uint64_t kPiece = 4096;
  HWY_ALIGN uint64_t hashes[kPiece];
  uint64_t count = 0;
  for (uint64_t first = 0; first < batch.keys.size(); first += kPiece) {
    const uint64_t size = HWY_MIN(kPiece, batch.keys.size() - first);
    HashFor(HWY_TARGET)(batch.spec, batch.keys.Slice(first, size), hashes);
    Batch piece = batch;
    piece.keys = Keys::Hashes({hashes, size});
    count += RunReady<Ops, kVerb>(piece, owned, answers == nullptr ? nullptr : answers + first / 8);
  }
  return count;
}

template <class Ops, Verb kVerb>
uint64_t Run(const Batch& batch, BlockRange owned, uint8_t* answers) {
  if (batch.spec.hash == HashScheme::kXxh64 || batch.keys.kind() == Keys::Kind::kHashes) {
    return RunReady<Ops, kVerb>(batch, owned, answers);
  }
  return RunHashed<Ops, kVerb>(batch, owned, answers);
}

template <class Ops>
void Insert(const Batch& batch, BlockRange owned) {
  Run<Ops, Verb::kInsert>(batch, owned, nullptr);
}

template <class Ops>
uint64_t Contains(const Batch& batch, uint8_t* answers) {
  return Run<Ops, Verb::kContains>(batch, BlockRange::All(batch.spec), answers);
}

template <class Ops>
bool MarkOne(std::byte* bits, Place place) {
  uint8_t found = 0;
  Ops::InsertNew1(bits, place, &found);
  return found != Ops::kAllSet;
}

template <class Ops>
bool TestOne(const std::byte* bits, Place place) {
  uint8_t found = 0;
  Ops::Contains1(bits, place, &found);
  return found == Ops::kAllSet;
}

template <class Ops>
VariantKernels KernelsOf() {
  return {.insert = Insert<Ops>,
          .insert_new = Run<Ops, Verb::kInsertNew>,
          .contains = Contains<Ops>,
          .mark_one = MarkOne<Ops>,
          .test_one = TestOne<Ops>};
}

}  // namespace tamis::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TAMIS_SIMD_KERNELS_INL_H_
