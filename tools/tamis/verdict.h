// From answers about keys to what becomes of records, those without a key included.
#ifndef TAMIS_TOOLS_VERDICT_H_
#define TAMIS_TOOLS_VERDICT_H_

#include <cstdint>
#include <string>

#include "chunk.h"

namespace tamis::command {

/// What becomes of a record that no key can be made from.
enum class OnError : uint8_t { kKeep, kDrop, kFail };

/// Where records are told to be bad, once, and counted.
class BadMeter {
 public:
  BadMeter(OnError policy, std::string command) : policy_(policy), command_(std::move(command)) {}

  /// Goes on where so many have been counted, and the first been told.
  void GoOnFrom(uint64_t count) { count_ = count; }
  /// For one chunk after the other. Warns of the first bad record; with kFail throws FileError.
  /// `name` is the chunk's file.
  void Add(const Chunk& chunk, const std::string& name);

  OnError policy() const { return policy_; }
  uint64_t count() const { return count_; }

 private:
  OnError policy_;
  std::string command_;
  uint64_t count_ = 0;
};

/// Spreads answers, one a key, over records: fills chunk.kept, and chunk.others for those that are
/// written as duplicates. Each record that is not bad has one key.
void Spread(Chunk& chunk, OnError policy);

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_VERDICT_H_
