#include "exact_set.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace tamis::command {

namespace {

struct Header {
  uint64_t hash;
  uint64_t bytes;
};

constexpr uint64_t kFirstSlots = 1024;
constexpr int kPlaceBits = 48;
constexpr int kTagBits = 64 - kPlaceBits;
constexpr uint64_t kPlaceMask = (uint64_t{1} << kPlaceBits) - 1;

// Any scheme's hash, so that its upper bits are as good as any: by the golden ratio.
constexpr uint64_t Scatter(uint64_t hash) { return hash * 0x9E3779B97F4A7C15; }

// The bits below those that choose the slot.
constexpr uint64_t TagOf(uint64_t scattered, int shift) {
  return (scattered >> (shift - kTagBits)) << kPlaceBits;
}

constexpr uint64_t MostOf(uint64_t slots) { return slots / 4 * 3; }

}  // namespace

ExactSet::Answer ExactSet::Add(uint64_t hash, std::string_view key) {
  if (slots_ == 0) MakeSlots(kFirstSlots);
  const uint64_t scattered = Scatter(hash);
  const uint64_t tag = TagOf(scattered, shift_);
  const uint64_t* slots = Slots();
  for (uint64_t i = scattered >> shift_; slots[i] != 0; i = (i + 1) & (slots_ - 1)) {
    if (((slots[i] ^ tag) & ~kPlaceMask) != 0) continue;
    const char* entry = entries_.data() + (slots[i] & kPlaceMask) - 1;
    Header header = {};
    std::memcpy(&header, entry, sizeof header);
    if (header.hash == hash && std::string_view(entry + sizeof header, header.bytes) == key) {
      return Answer::kHeld;
    }
  }
  if (full_ || !MakeRoom(sizeof(Header) + key.size())) return Answer::kNoRoom;
  const Header header = {.hash = hash, .bytes = key.size()};
  char* entry = entries_.data() + used_;
  std::memcpy(entry, &header, sizeof header);
  if (!key.empty()) std::memcpy(entry + sizeof header, key.data(), key.size());
  Place(hash, sizeof header + key.size());
  return Answer::kAdded;
}

void ExactSet::PrefetchSlot(uint64_t hash) const {
  if (slots_ > 0) __builtin_prefetch(Slots() + (Scatter(hash) >> shift_));
}

void ExactSet::PrefetchEntry(uint64_t hash) const {
  if (slots_ == 0) return;
  const uint64_t scattered = Scatter(hash);
  const uint64_t slot = Slots()[scattered >> shift_];
  if (slot == 0 || ((slot ^ TagOf(scattered, shift_)) & ~kPlaceMask) != 0) return;
  const char* entry = entries_.data() + (slot & kPlaceMask) - 1;
  __builtin_prefetch(entry);
  __builtin_prefetch(entry + 64);
}

// Has the first free slot point to the entry behind all others, which becomes one of them.
void ExactSet::Place(uint64_t hash, size_t entry_bytes) {
  const uint64_t scattered = Scatter(hash);
  uint64_t* slots = Slots();
  uint64_t i = scattered >> shift_;
  while (slots[i] != 0) i = (i + 1) & (slots_ - 1);
  slots[i] = TagOf(scattered, shift_) | (used_ + 1);
  used_ += entry_bytes;
  ++size_;
}

// Sees to it that one more key has an entry and a slot. False if that takes too much memory.
bool ExactSet::MakeRoom(size_t entry_bytes) {
  const bool grows = size_ == MostOf(slots_);
  const uint64_t slots = grows ? 2 * slots_ : slots_;
  const uint64_t needed = used_ + entry_bytes;
  full_ = size_ > 0 && needed + slots * sizeof(uint64_t) > memory_;
  if (full_) return false;
  if (needed > entries_.capacity()) {
    entries_.Reserve(std::max(needed, std::min<uint64_t>(2 * needed, memory_)));
  }
  if (grows) MakeSlots(slots);
  return true;
}

void ExactSet::MakeSlots(uint64_t count) {
  storage_.reset();
  storage_.emplace(Storage::Zeroed(count * sizeof(uint64_t)));
  slots_ = count;
  shift_ = 64 - std::countr_zero(count);
  const size_t end = std::exchange(used_, 0);
  size_ = 0;
  while (used_ < end) {
    Header header = {};
    std::memcpy(&header, entries_.data() + used_, sizeof header);
    Place(header.hash, sizeof header + header.bytes);
  }
}

}  // namespace tamis::command
