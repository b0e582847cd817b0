// From what a user knows (how many keys, which rate, how much memory) to the size of a filter, and
// back from a size to its false-positive rate (fpr: the share of foreign keys called present).
//
// A blocked filter is worse than the classic formula says, since some blocks get more keys than
// others. With keys spread evenly, a block holds j of them with Poisson probability, mean
// keys / blocks, and a foreign key meets eight words with j bits thrown into each:
//     fpr = sum over j of Poisson(j) * (1 - (1 - 1/W)^j)^8        W = bits of a word
// or, where k bits lie anywhere in a block of B bits, (1 - (1 - 1/B)^(jk))^k and what the variance
// of its fill adds
// (Putze, Sanders, Singler: Cache-, Hash- and Space-Efficient Bloom Filters, 2007). Two effects are
// added where they matter: 32 bits of hash choose among very many blocks a little unevenly, and two
// keys that agree in block and low half cannot be told apart (the floor). In filters of a few
// blocks loads vary less than Poisson's: the true rate is lower than stated up to a rate of 1/3,
// and above it at most 1.3 % (of itself) higher.
#ifndef TAMIS_SIZING_H_
#define TAMIS_SIZING_H_

#include <cstdint>

#include "tamis/spec.h"

namespace tamis {

/// A Spec, and what it was made for.
struct Plan {
  Spec spec;
  uint64_t capacity = 0;  ///< keys planned for; 0 if the filter was made by size alone
  double fpr = 0;         ///< rate at capacity that the plan promises; 0 if made by size alone

  friend bool operator==(const Plan&, const Plan&) = default;
};

/// What is free to choose beside the size.
struct PlanOptions {
  Variant variant = Variant::kSplitBlock;
  uint64_t seed = 0;
  bool interop = false;  ///< keep within what Parquet writers and Arrow accept: a power of two
                         ///< blocks, at most 128 MiB, variant split_block, xxh64, seed 0
  HashScheme hash = HashScheme::kXxh64;
  int k = 0;                               ///< bits that a key sets; 0: as many as are best
  Secret secret{};                         ///< of a keyed hash scheme
  ProbeScheme probe = ProbeScheme::kNone;  ///< of a classic filter; kNone: tamis's own
  uint64_t growth = 2;  ///< of a scalable filter: each layer's capacity against the one before

  friend bool operator==(const PlanOptions&, const PlanOptions&) = default;
};

/// Throws InvalidArgument, with the value, unless `fpr` lies strictly between 0 and 1.
void RequireRate(double fpr);

/// The smallest filter whose expected rate at `keys` distinct keys is at most `fpr`; of the classic
/// variant, that of ClassicSizeFor, whose rate is some thousandths of itself above since k is
/// whole. `keys` may be 0 (planned as 1). `fpr` lies strictly between 0 and 1. Throws
/// InvalidArgument if a value is out of range, the rate is below the hash's own floor, or more than
/// kMaxBlocks blocks were needed; the message has the value, the bytes needed and the limit.
/// Allocates nothing.
Plan PlanFor(uint64_t keys, double fpr, const PlanOptions& options = {});

/// A filter of `bits_per_key` (more than 0, at most 10,000) bits a key; its fpr is what follows.
Plan PlanForBitsPerKey(uint64_t keys, double bits_per_key, const PlanOptions& options = {});

/// The largest filter of at most `bytes` bytes, with no plan for a number of keys. Throws
/// InvalidArgument if `bytes` holds no block or more than kMaxBlocks.
Plan PlanForBytes(uint64_t bytes, const PlanOptions& options = {});

/// Expected rate of a filter of this Spec that holds `keys` distinct keys; 0 if it holds none.
/// Throws InvalidArgument for a bad Spec.
double ExpectedFpr(const Spec& spec, uint64_t keys);

/// The most distinct keys with which the expected rate of a filter of this Spec is at most `fpr`
/// (strictly between 0 and 1); 0 if one key is too many. Throws InvalidArgument for a bad Spec or
/// rate.
uint64_t CapacityFor(const Spec& spec, double fpr);

/// The rate of a large filter of that variant at `bits_per_key`, without unevenness or floor.
/// k 0: the best.
double FprAtBitsPerKey(Variant variant, double bits_per_key, int k = 0);

/// Bits a key that a large filter of that variant needs for this rate: the inverse of the above.
double BitsPerKeyFor(Variant variant, double fpr, int k = 0);

/// The k that gives the lowest rate at `bits_per_key`, or takes the fewest bits for a rate.
int BestKAtBitsPerKey(Variant variant, double bits_per_key);
int BestKFor(Variant variant, double fpr);

/// Size of a classic Bloom filter: `bits` m = ceil(-n ln p / (ln 2)^2), `hashes` round(m / n * ln
/// 2).
struct ClassicSize {
  uint64_t bits;
  int hashes;
};

/// Throws InvalidArgument for a rate outside (0, 1) or a size past 2^63 bits. 0 keys count as 1.
ClassicSize ClassicSizeFor(uint64_t keys, double fpr);

/// Rate of a classic filter of `bits` bits and `hashes` hashes that holds `keys`:
/// (1 - e^(-k n / m))^k.
double ClassicFpr(uint64_t keys, uint64_t bits, int hashes);

}  // namespace tamis

#endif  // TAMIS_SIZING_H_
