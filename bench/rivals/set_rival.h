// The adapter for sets of keys with the interface of std::unordered_set.
#ifndef TAMIS_BENCH_RIVALS_SET_RIVAL_H_
#define TAMIS_BENCH_RIVALS_SET_RIVAL_H_

#include <optional>

#include "bench/rivals/allocator.h"
#include "bench/rivals/rival.h"

namespace tamis::bench {

/// Set<Allocator> is the set's type.
template <template <typename> typename Set>
class SetRival final : public Rival {
 public:
  void Reset(uint64_t keys, double /*bits_per_key*/) override {
    set_.reset();
    set_.emplace();
    set_->reserve(keys);
  }
  void Insert(std::span<const uint64_t> keys) override {
    for (const uint64_t key : keys) set_->insert(key);
  }
  uint64_t Contains(std::span<const uint64_t> keys) override {
    uint64_t present = 0;
    for (const uint64_t key : keys) present += set_->count(key);
    return present;
  }
  uint64_t bytes() const override { return allocated_by<SetRival>.bytes; }
  bool huge() const override { return allocated_by<SetRival>.huge_bytes > 0; }

 private:
  std::optional<Set<CountingAllocator<uint64_t, SetRival>>> set_;
};

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_RIVALS_SET_RIVAL_H_
