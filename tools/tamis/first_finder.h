// Which keys are the first of their kind, among as many as there are disk for: decided by their
// bytes, in bounded memory.
//
// Keys come in order. As long as memory lasts, a set holds those that came, and the answer is
// immediate. Then the set is closed: what it holds is still known to be repeated, also where one
// key comes again and again, and a key that it does not hold has not come before it was closed. All
// such keys, and their repetitions, wait in temporary files, one for each part of the hash's range.
// In the end each file is gone through in the same way, with all of the memory, into files of its
// own if even that is not enough:
//
//   keys --> set --> first, repeated
//             |
//             +--> part 0  --> set --> first, repeated
//             +--> part 1        |
//             ...                +--> part 0 of part 0 ...
#ifndef TAMIS_TOOLS_FIRST_FINDER_H_
#define TAMIS_TOOLS_FIRST_FINDER_H_

#include <cstdint>
#include <vector>

#include "exact_set.h"
#include "key_spill.h"
#include "number_runs.h"
#include "numbered_key.h"

namespace tamis::command {

class FirstFinder {
 public:
  enum class Answer : uint8_t {
    kFirst,
    kRepeated,
    kLater,  ///< Settle will tell
  };

  /// Takes at most about `memory` bytes, or what the longest key needs.
  explicit FirstFinder(uint64_t memory) : memory_(memory), top_(memory, 0) {}

  /// The next key; numbers ascend. Throws FileError from temporary files.
  Answer Meet(const NumberedKey& key) { return top_.Meet(key); }
  /// Hints that Meet will be called with a key of this hash: some keys ahead the first, fewer the
  /// second.
  void PrefetchSlot(uint64_t hash) const { top_.set.PrefetchSlot(hash); }
  void PrefetchEntry(uint64_t hash) const { top_.set.PrefetchEntry(hash); }

  /// Whether some key was answered by kLater.
  bool waits() const { return top_.waits; }

  /// After the last key: appends the numbers of those that were told kLater and are first.
  void Settle(NumberRuns& firsts);

  /// Bytes of keys that waited in temporary files.
  uint64_t spilled_bytes() const { return spilled_bytes_ + top_.spilled_bytes; }

 private:
  struct Level {
    Level(uint64_t memory, uint64_t parted);
    Answer Meet(const NumberedKey& key);
    std::vector<KeySpill> TakeParts();

    uint64_t depth;  // how often parts were parted again
    ExactSet set;
    std::vector<KeySpill> parts;
    bool waits = false;
    uint64_t spilled_bytes = 0;
  };

  void SettleParts(std::vector<KeySpill> parts, uint64_t level, NumberRuns& firsts);

  uint64_t memory_;
  Level top_;
  uint64_t spilled_bytes_ = 0;  // by lower levels
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_FIRST_FINDER_H_
