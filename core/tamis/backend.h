// The narrow interface between Engine and silicon.
//
//   Kernels    one instruction set's loops over a batch, single-threaded: a table of function
//              pointers. "scalar" is the reference; the simd backend brings one table for each
//              target that the processor supports.
//   Backend    a way to run kernels: in the caller's thread (scalar, simd), cut into pieces that
//              need no lock (tbb), or on a device with kernels of its own (cuda). Open() gives an
//              Executor, which holds threads and scratch.
//
// Kernels obey the invariants alone: same bytes, same answers, in order. Update kernels take a
// BlockRange and leave keys of other blocks alone, so that threads can share a filter by owning
// disjoint ranges ("owner computes").
#ifndef TAMIS_BACKEND_H_
#define TAMIS_BACKEND_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tamis/keys.h"
#include "tamis/spec.h"
#include "tamis/storage.h"

namespace tamis {

/// Where a filter's bits are when a batch asks for them, as its size and the machine's caches tell.
enum class Residence : uint8_t {
  kFirstCache,  ///< in a core's first cache level
  kCaches,      ///< in the caches that kernels can count on
  kMemory,
};

/// A filter's bits and a batch of keys. Contains only reads the bits.
struct Batch {
  Spec spec;
  std::byte* bits;
  Keys keys;
  Residence residence;

  bool in_memory() const { return residence == Residence::kMemory; }
};

/// Throws InvalidArgument for keys that filters of this Spec do not take: hashes of another number
/// of words than spec.hash_words(), and keys that are no hashes where they have to be.
void RequireTaken(const Spec& spec, const Keys& keys);

/// Bits of a cache line.
inline constexpr uint64_t kLineBits = 512;

/// Blocks first to end - 1; in a classic filter, lines of kLineBits bits.
struct BlockRange {
  uint64_t first;
  uint64_t end;

  bool Has(uint64_t block) const { return block >= first && block < end; }
  static BlockRange All(const Spec& spec) { return {0, Count(spec)}; }
  /// How many there are for owners to share.
  static uint64_t Count(const Spec& spec) {
    return spec.classic() ? spec.m / kLineBits + (spec.m % kLineBits != 0) : spec.blocks;
  }
  friend bool operator==(const BlockRange&, const BlockRange&) = default;
};

/// One variant's loops.
struct VariantKernels {
  /// Sets the bits of every key that are owned.
  void (*insert)(const Batch& batch, BlockRange owned);
  /// The same, and writes a 1 for every key of which some owned bit was clear when its turn came, a
  /// 0 for every other key, into `answers` (or nowhere, if null). Returns the number of ones. A
  /// classic filter's key may have bits with several owners: it is new if one of them says so.
  uint64_t (*insert_new)(const Batch& batch, BlockRange owned, uint8_t* answers);
  /// Writes a 1 for every key of which all bits are set. Returns the number of ones.
  uint64_t (*contains)(const Batch& batch, uint8_t* answers);
  /// A single key's block: sets its bits and returns whether one was clear; whether all are set.
  /// Null where the definition (bits.h) does it as well, and for register_blocked: ContainsOne asks
  /// its words by atomic loads, since a SharedAdder may be at work on them.
  bool (*mark_one)(std::byte* bits, Place place) = nullptr;
  bool (*test_one)(const std::byte* bits, Place place) = nullptr;
};

struct Kernels {
  std::string_view target;  ///< "scalar", or Highway's name: "AVX2", "AVX3", "NEON", ...
  /// Hashes of all keys by the Spec's scheme and seed: spec.hash_words() words a key.
  void (*hash)(const Spec& spec, const Keys& keys, uint64_t* hashes);
  /// ORs `bytes` (a multiple of 8) bytes into others.
  void (*merge)(std::byte* into, const std::byte* from, uint64_t bytes);
  std::array<VariantKernels, kVariantCount> variants;  ///< by id - 1

  const VariantKernels& Of(Variant variant) const {
    return variants[static_cast<size_t>(variant) - 1];
  }
};

/// Does whole batches, for one caller at a time but for Hash and Contains, which any number of
/// threads may call at once.
class Executor {
 public:
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;

  virtual void Hash(const Spec& spec, const Keys& keys, uint64_t* hashes) const = 0;
  virtual void Insert(const Batch& batch) = 0;
  virtual uint64_t InsertNew(const Batch& batch, uint8_t* answers) = 0;
  virtual uint64_t Contains(const Batch& batch, uint8_t* answers) const = 0;
  virtual void Merge(std::byte* into, const std::byte* from, uint64_t bytes) = 0;

  /// A copy of a filter's bits in memory in which this executor works on them fastest; none if any
  /// memory is as good. Throws MemoryError if there is not enough.
  virtual std::optional<Storage> CopyOf(std::span<const std::byte> /*bits*/) {
    return std::nullopt;
  }
};

class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  virtual std::string_view name() const = 0;
  /// Tables that this backend brings for itself and others, best first; empty if it runs others'.
  virtual std::span<const Kernels> kernels() const = 0;
  /// Whether Open makes use of more than one thread.
  virtual bool parallel() const = 0;
  /// Whether the work is done on a device, where bits from Executor::CopyOf are at hand and all
  /// others are sent there and back in every call.
  virtual bool device() const { return false; }
  /// Why this backend cannot run on this machine, in words; empty if it can. May take a while when
  /// first called.
  virtual std::string Unavailable() const { return {}; }
  /// Whether it has kernels for filters of this variant, hash scheme and probe scheme.
  virtual bool Runs(const Spec& /*spec*/) const { return true; }
  /// An executor that runs `kernels` (which must outlive it) on `threads` threads (1 or more).
  virtual std::unique_ptr<Executor> Open(const Kernels& kernels, int threads) const = 0;
};

/// The reference: plain loops, to be read as the specification.
const Backend& ScalarBackend();

/// An executor that runs `kernels` in the calling thread.
std::unique_ptr<Executor> OpenSerial(const Kernels& kernels);

/// Every backend built into tamis::tamis, scalar first. Each folder's CMakeLists.txt adds its own
/// by one line, tamis_add_backend(...).
std::span<const Backend* const> Backends();

}  // namespace tamis

#endif  // TAMIS_BACKEND_H_
