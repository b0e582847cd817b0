// split_block: blocks of eight 32-bit words. A 512-bit register holds the masks of two keys.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/split_block.cc"
#include "hwy/foreach_target.h"  // first, so that all below is compiled once a target
#include "hwy/highway.h"
#include "simd/tables.h"
#if HWY_TARGET != HWY_SCALAR
#include "simd/block-inl.h"
#include "simd/loop-inl.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace tamis::simd::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR
VariantKernels SplitBlock() { return {}; }
#else

#if HWY_MAX_BYTES == 64 && HWY_ARCH_X86
struct Ops : BlockOps<uint32_t> {
  using D2 = hn::CappedTag<uint32_t, 2 * kBlockWords>;
  using V2 = hn::Vec<D2>;

  // The masks of two keys, whose low halves stand side by side in memory.
  static HWY_INLINE V2 Mask2(const uint32_t* low) {
    const D2 d2;
    HWY_ALIGN static constexpr uint32_t kSpread[2 * kBlockWords] = {0, 0, 0, 0, 0, 0, 0, 0,
                                                                    1, 1, 1, 1, 1, 1, 1, 1};
    uint64_t both;
    hwy::CopyBytes<sizeof both>(low, &both);
    const V2 pairs = hn::BitCast(d2, hn::Set(hn::Repartition<uint64_t, D2>(), both));
    const V2 lows = hn::TableLookupLanes(pairs, hn::SetTableIndices(d2, kSpread));
    const V2 product = hn::Mul(lows, hn::Load(d2, kSalts));
    return hn::Shl(hn::Set(d2, 1), hn::ShiftRight<27>(product));
  }

  static HWY_INLINE void Contains2(std::byte* bits, const uint32_t* block, const uint32_t* low,
                                   uint8_t* found) {
    const D d;
    const D2 d2;
    const V2 words =
        hn::Combine(d2, hn::LoadU(d, At(bits, block[1])), hn::LoadU(d, At(bits, block[0])));
    hn::StoreMaskBits(d2, hn::TestBit(words, Mask2(low)), found);
  }
  static HWY_INLINE void InsertNew2(std::byte* bits, const uint32_t* block, const uint32_t* low,
                                    uint8_t* found) {
    const D d;
    const V2 masks = Mask2(low);
    hn::StoreMaskBits(d, Update(At(bits, block[0]), hn::LowerHalf(d, masks)), found);
    hn::StoreMaskBits(d, Update(At(bits, block[1]), hn::UpperHalf(d, masks)), found + 1);
  }
  static HWY_INLINE void Insert2(std::byte* bits, const uint32_t* block, const uint32_t* low) {
    const D d;
    const V2 masks = Mask2(low);
    Or(At(bits, block[0]), hn::LowerHalf(d, masks));
    Or(At(bits, block[1]), hn::UpperHalf(d, masks));
  }
};
#else
using Ops = BlockOps<uint32_t>;
#endif

VariantKernels SplitBlock() { return KernelsOf<Ops>(); }
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
