#include "first_finder.h"

#include <algorithm>
#include <utility>

#include "tamis/hash.h"

namespace tamis::command {

namespace {

constexpr int kPartBits = 6;
constexpr size_t kParts = size_t{1} << kPartBits;

// What the buffers of all parts may take: a sixteenth.
size_t PartBytes(uint64_t memory) {
  constexpr uint64_t kLeast = 256;
  constexpr uint64_t kMost = uint64_t{256} << 10;
  return std::clamp(memory / 16 / kParts, kLeast, kMost);
}

// Each level parts keys in another way. Only keys of the same hash stay together on all of them,
// and even they are fewer on every level, by those that fit into a set.
size_t PartOf(uint64_t hash, uint64_t level) {
  return xxh64::Avalanche(hash + (level + 1) * xxh64::kPrime4) >> (64 - kPartBits);
}

}  // namespace

FirstFinder::Level::Level(uint64_t memory, uint64_t parted)
    : depth(parted), set(memory - memory / 16) {
  parts.reserve(kParts);
  for (size_t i = 0; i < kParts; ++i) parts.emplace_back(PartBytes(memory));
}

FirstFinder::Answer FirstFinder::Level::Meet(const NumberedKey& key) {
  switch (set.Add(key.hash, key.bytes)) {
    case ExactSet::Answer::kAdded:
      return Answer::kFirst;
    case ExactSet::Answer::kHeld:
      return Answer::kRepeated;
    case ExactSet::Answer::kNoRoom:
      break;
  }
  waits = true;
  spilled_bytes += key.bytes.size();
  parts[PartOf(key.hash, depth)].Append(key);
  return Answer::kLater;
}

// Takes the parts that wait, and gives all memory back.
std::vector<KeySpill> FirstFinder::Level::TakeParts() {
  set = ExactSet(0);
  std::erase_if(parts, [](const KeySpill& part) { return part.empty(); });
  for (KeySpill& part : parts) part.Close();
  return std::move(parts);
}

void FirstFinder::Settle(NumberRuns& firsts) { SettleParts(top_.TakeParts(), 1, firsts); }

void FirstFinder::SettleParts(std::vector<KeySpill> parts, uint64_t level, NumberRuns& firsts) {
  for (KeySpill& part : parts) {
    Level below(memory_, level);
    part.Drain([&](const NumberedKey& key) {
      if (below.Meet(key) == Answer::kFirst) firsts.Append(key.number);
    });
    spilled_bytes_ += below.spilled_bytes;
    SettleParts(below.TakeParts(), level + 1, firsts);
  }
}

}  // namespace tamis::command
