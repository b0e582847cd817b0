#include "tamis/shared_adder.h"

#include <mutex>
#include <string>

#include "single_key.h"
#include "tamis/backend.h"

namespace tamis {

namespace {

// The counts of adders that end at the same time go into their filter one after the other.
std::mutex& CountLock() {
  static std::mutex lock;
  return lock;
}

}  // namespace

SharedAdder::SharedAdder(Filter& filter) : filter_(filter), bits_(filter.mutable_data()) {
  if (filter.spec().variant == Variant::kRegisterBlocked) return;
  throw InvalidArgument("variant " + std::string(NameOf(filter.spec().variant)) +
                        ": several threads can add keys only to register_blocked");
}

SharedAdder::~SharedAdder() {
  const std::lock_guard lock(CountLock());
  filter_.AddInserted(inserted_);
}

bool SharedAdder::Insert(const KeyHash& hash) {
  const bool fresh = MarkKeyShared(filter_.spec(), bits_, hash);
  inserted_ += fresh ? 1 : 0;
  return fresh;
}

bool SharedAdder::InsertOne(std::string_view key) {
  RequireTaken(filter_.spec(), OneKey(key));
  return Insert(HashOf(filter_.spec(), key));
}

bool SharedAdder::InsertOne(uint64_t key) { return Insert(HashOf(filter_.spec(), key)); }

}  // namespace tamis
