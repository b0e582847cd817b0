// A set of keys by their bytes, in bounded memory: what it does not hold when its memory is used
// up, it never will.
//
//   slots    [ tag | place ][ tag | place ] ...      a power of two, at most 3/4 of them taken
//                      |
//   entries  ..[ hash | length | bytes of the key ][ hash | ...     back to back, in order of
//   arrival
//
// A slot is 8 bytes: 16 bits of the hash, so that hardly any other key is looked at, and 48 of
// where the entry lies. When the slots are too few, twice as many are filled from the entries, one
// after the other, so that old and new slots never take memory at the same time.
#ifndef TAMIS_TOOLS_EXACT_SET_H_
#define TAMIS_TOOLS_EXACT_SET_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "buffer.h"
#include "tamis/storage.h"

namespace tamis::command {

class ExactSet {
 public:
  enum class Answer : uint8_t {
    kAdded,   ///< it was not there, and is now
    kHeld,    ///< it was there
    kNoRoom,  ///< it is not there, and will never be
  };

  /// Takes at most `memory` bytes, but room for one key in any case.
  explicit ExactSet(uint64_t memory) : memory_(memory) {}

  /// Once it has answered kNoRoom, nothing is added any more.
  Answer Add(uint64_t hash, std::string_view key);

  /// Hints that Add will be called for this hash: some keys ahead the first, fewer the second.
  void PrefetchSlot(uint64_t hash) const;
  void PrefetchEntry(uint64_t hash) const;

  uint64_t size() const { return size_; }

 private:
  bool MakeRoom(size_t entry_bytes);
  void MakeSlots(uint64_t count);
  uint64_t* Slots() const { return reinterpret_cast<uint64_t*>(storage_->data()); }
  void Place(uint64_t hash, size_t entry_bytes);

  uint64_t memory_;
  std::optional<Storage> storage_;  // of the slots
  uint64_t slots_ = 0;
  int shift_ = 0;  // what leaves of a hash the index of a slot
  Buffer entries_;
  size_t used_ = 0;  // of the entries, in bytes
  uint64_t size_ = 0;
  bool full_ = false;
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_EXACT_SET_H_
