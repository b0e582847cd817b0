// A Filter is a Spec, its bytes, how many keys went in, and what it was planned for. It holds data
// and reports on it; an Engine does the work on it.
//
// From many threads: any number may read one filter (Engine::Contains, the reports here) while none
// writes it. Whoever writes (Engine::Insert, InsertNew, Merge) must be alone with it, as with a
// standard container.
#ifndef TAMIS_FILTER_H_
#define TAMIS_FILTER_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "tamis/sizing.h"
#include "tamis/storage.h"

namespace tamis {

class Filter {
 public:
  /// An empty filter in memory of its own. Throws InvalidArgument for a bad Spec, MemoryError if it
  /// is larger than `memory_limit` bytes or the system refuses.
  explicit Filter(const Plan& plan, HugePages huge = HugePages::kTry,
                  uint64_t memory_limit = MemoryLimit());

  /// A filter over bytes that hold `inserted` keys already, such as a mapped file.
  /// Throws InvalidArgument unless `storage` has just the bytes that the Spec asks for.
  Filter(const Plan& plan, Storage storage, uint64_t inserted);

  const Spec& spec() const { return plan_.spec; }
  const Plan& plan() const { return plan_; }
  const Storage& storage() const { return storage_; }
  std::span<const std::byte> bytes() const { return {storage_.data(), storage_.size()}; }

  /// The bytes, to write to. Throws InvalidArgument if they are mapped read-only.
  std::byte* mutable_data();

  /// Goes on with a copy of the bytes, in other memory: pointers into bytes() go stale. For
  /// engines.
  void MoveTo(Storage copy);

  /// Keys that went in: those that were new for Engine::InsertNew, all of a batch for
  /// Engine::Insert (which does not look), both filters' sum for Engine::Merge.
  uint64_t inserted() const { return inserted_; }
  /// Adds to inserted(); stays at 2^64 - 1 rather than wrap. For engines.
  void AddInserted(uint64_t keys);
  /// What inserted() says from now on, for whoever wrote the bytes of another filter over these.
  void SetInserted(uint64_t keys) { inserted_ = keys; }

  /// Whether more keys went in than were planned for. Never true without a planned capacity.
  bool overfull() const { return plan_.capacity != 0 && inserted_ > plan_.capacity; }

  /// Share of bits that are set, 0 to 1. Reads every byte.
  double Fill() const;
  /// False-positive rate expected from inserted().
  double ExpectedFpr() const;
  /// False-positive rate that the bits themselves give, by counting: the mean over blocks of the
  /// product of the eight words' fills, or of the block's fill to the k where bits lie anywhere in
  /// it; a classic filter's fill to the k. Reads every byte.
  double ObservedFpr() const;

  /// Forgets every key.
  void Clear();

 private:
  Plan plan_;
  Storage storage_;
  uint64_t inserted_ = 0;
};

}  // namespace tamis

#endif  // TAMIS_FILTER_H_
