// What does not depend on the variant: hashing a batch, and ORing bytes.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/batch.cc"
#include "hwy/foreach_target.h"  // first, so that all below is compiled once a target
#include "hwy/highway.h"
#include "simd/tables.h"
#if HWY_TARGET != HWY_SCALAR
#include "simd/scheme_hash-inl.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace tamis::simd::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR
HashKernel Hash() { return nullptr; }
MergeKernel Merge() { return nullptr; }
#else

void HashBatch(const Spec& spec, const Keys& keys, uint64_t* hashes) {
  HashBySpec(spec, keys, hashes);
}

void MergeBytes(std::byte* into, const std::byte* from, uint64_t bytes) {
  const hn::CappedTag<uint8_t, 32> d;
  auto* to = reinterpret_cast<uint8_t*>(into);
  const auto* other = reinterpret_cast<const uint8_t*>(from);
  uint64_t i = 0;
  for (; i + hn::Lanes(d) <= bytes; i += hn::Lanes(d)) {
    hn::StoreU(hn::Or(hn::LoadU(d, to + i), hn::LoadU(d, other + i)), d, to + i);
  }
  for (; i < bytes; ++i) to[i] = static_cast<uint8_t>(to[i] | other[i]);  // a classic filter's end
}

HashKernel Hash() { return HashBatch; }
MergeKernel Merge() { return MergeBytes; }
#endif

}  // namespace tamis::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tamis::simd {

HWY_EXPORT(Hash);
HWY_EXPORT(Merge);

HashKernel HashFor(int64_t target) { return HWY_DISPATCH_TABLE(Hash)[TableIndex(target)](); }
MergeKernel MergeFor(int64_t target) { return HWY_DISPATCH_TABLE(Merge)[TableIndex(target)](); }

}  // namespace tamis::simd
#endif
