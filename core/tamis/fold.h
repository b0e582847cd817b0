// Folding: a filter that was planned too large, made smaller without its keys.
//
//   tamis::Filter small = tamis::Fold(large, 4);  // a quarter of the bytes, every key still
//   present
//
// The result is, byte for byte, the filter of the smaller size that the same keys would have been
// put into. Let a filter have b blocks, d divide b, and the small one have b' = b / d. A key's
// block comes from the high half H of its hash (Locate() in tamis/bits.h), and its bits inside the
// block from the low half, which knows no size:
//
//   block in the large filter    floor(H * b / 2^32) = floor(H * b' * d / 2^32)
//   block in the small filter    floor(H * b' / 2^32) = floor(floor(H * b' * d / 2^32) / d)
//
// since floor(floor(x) / d) = floor(x / d) for every whole d. So block i of the small filter gets
// just the keys of blocks d*i to d*i + d - 1 of the large one, and is the OR of those:
//
//   large  | 0 | 1 | 2 | 3 | 4 | 5 |        d = 2
//   small  |  0|1  |  2|3  |  4|5  |
//
// A classic filter of m = m' * d bits folds bit by bit, by how its probe scheme (tamis/schemes.h)
// brings numbers x into the range. Scaled, floor(x * m / 2^64), neighbours meet as above. By
// remainder, (x mod m) mod m' = x mod m' since m' divides m: so bits i, i + m', i + 2m' ... meet.
//
// That takes a d which divides the size exactly. Where none does, as for a prime number of blocks,
// the filter cannot be folded: plan it with HalvablePlan, or as 2^i blocks (PlanOptions::interop,
// or PlanForBytes of a power of two), which can be halved down to one.
#ifndef TAMIS_FOLD_H_
#define TAMIS_FOLD_H_

#include <cstdint>
#include <vector>

#include "tamis/filter.h"

namespace tamis {

/// All factors by which a filter of this Spec can be folded, ascending from 2: the divisors of its
/// blocks, or of a classic filter's bits. Takes time with the square root of that number.
std::vector<uint64_t> FoldFactors(const Spec& spec);

/// The plan of a filter with that plan, folded by `factor`; 1 leaves the size. A folded filter
/// holds fewer keys at the same rate, so capacity becomes the most keys at which the rate promised,
/// or `fpr` if that is not 0, still holds. A filter made by size alone stays one, unless `fpr` is
/// given. Throws InvalidArgument, naming factors that can be, if `factor` does not divide the size,
/// and for an `fpr` that is no rate.
Plan FoldedPlan(const Plan& plan, uint64_t factor, double fpr = 0);

/// The largest factor that keeps the expected rate with `keys` distinct keys at or below `fpr`; 1
/// if no folding does. Throws InvalidArgument if the rate is above that already, or `fpr` is no
/// rate.
uint64_t FoldFactorFor(const Spec& spec, uint64_t keys, double fpr);

/// A filter in memory of its own with the keys of this one and FoldedPlan(filter.plan(), factor,
/// fpr). Reads each byte once. inserted() stays. Throws as FoldedPlan does, and MemoryError.
/// Any number of threads may fold one filter while none writes it.
Filter Fold(const Filter& filter, uint64_t factor, double fpr = 0);

/// That plan for a filter of at least 64,000 blocks (or bits, if classic), rounded up to the next
/// multiple of 64: it can be halved six times, and costs a thousandth at most. A smaller one stays.
Plan HalvablePlan(const Plan& plan);

}  // namespace tamis

#endif  // TAMIS_FOLD_H_
