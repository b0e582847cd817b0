// Single keys into one filter from many threads at once, without a lock: for register_blocked
// filters, where all bits of a key lie in one word, so that one atomic OR puts it in. Batches are
// faster by far where keys come in batches (Engine::InsertNew); this is for keys that come one by
// one, each to a thread of its own: requests, say.
//
//   tamis::Filter seen(tamis::PlanFor(n, 0.01, {.variant = tamis::Variant::kRegisterBlocked}));
//   // in each thread:
//   tamis::SharedAdder adder(seen);
//   if (adder.InsertOne(key)) ...  // this thread was the first to bring the key
//
// From many threads: give each its own adder of the filter. Engine::ContainsOne may ask the filter
// meanwhile, from any thread, and finds every key whose InsertOne has returned. All other verbs,
// and Filter's reports, wait until no adder is left.
#ifndef TAMIS_SHARED_ADDER_H_
#define TAMIS_SHARED_ADDER_H_

#include <cstdint>
#include <string_view>

#include "tamis/filter.h"
#include "tamis/schemes.h"

namespace tamis {

class SharedAdder {
 public:
  /// The filter must outlive it, and stay where it is. Throws InvalidArgument if it is of another
  /// variant than register_blocked, or mapped read-only.
  explicit SharedAdder(Filter& filter);
  /// Adds what was new to Filter::inserted(), which until then does not count it.
  ~SharedAdder();
  SharedAdder(const SharedAdder&) = delete;
  SharedAdder& operator=(const SharedAdder&) = delete;

  /// Puts the key in; returns whether it was new. Of threads that bring the same key at once,
  /// exactly one is told so. Throws InvalidArgument for a prehashed key that is not of 8 or 16
  /// bytes.
  bool InsertOne(std::string_view key);
  bool InsertOne(uint64_t key);

  /// Keys that were new to this adder.
  uint64_t inserted() const { return inserted_; }

 private:
  bool Insert(const KeyHash& hash);

  Filter& filter_;
  std::byte* const bits_;
  uint64_t inserted_ = 0;
};

}  // namespace tamis

#endif  // TAMIS_SHARED_ADDER_H_
