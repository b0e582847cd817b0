// Proves which of the keys that a filter called seen had come before, by reading the input again.
//
// A filter calls no key new that came before. So a key it called new is the first of its kind, and
// only keys it called seen at some time, the suspects, need a proof. While the filter works, their
// hashes go into a second filter, of suspects. The input is then read again: whatever that filter
// does not hold was new, and of the rest, which are few, keys are compared byte by byte with those
// that came before (FirstFinder). A false answer of the filter of suspects costs a comparison, no
// more.
//
//   first reading   filter ---seen---> suspects
//   second          suspects? --no---> first
//                       +------yes---> FirstFinder --> first, repeated, or later
//   third           only if memory did not last: with what FirstFinder has settled in the meantime
//
// Records are written while they are read the second time, up to the chunk in which memory was used
// up, and from there on the third time.
#ifndef TAMIS_TOOLS_SECOND_PASS_H_
#define TAMIS_TOOLS_SECOND_PASS_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "chunk.h"
#include "first_finder.h"
#include "input.h"
#include "key_maker.h"
#include "number_runs.h"
#include "tamis/engine.h"

namespace tamis::command {

/// What input held, as far as keys tell: equal only if all of them were the same, in the same
/// order, but for a chance of 2^-64.
struct Fingerprint {
  uint64_t records = 0;
  uint64_t keys = 0;
  uint64_t sum = 0;

  /// For one chunk after the other.
  void Add(const Chunk& chunk);
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

struct Proof {
  uint64_t fresh = 0;          ///< keys that are the first of their kind
  uint64_t suspects = 0;       ///< keys that the filter called seen
  uint64_t wrong = 0;          ///< those among them that are the first of their kind
  uint64_t spilled_bytes = 0;  ///< of keys that memory had no room for
  int readings = 1;
};

class SecondPass {
 public:
  /// Before the first reading. Takes about `memory` bytes, but for a longer key. `hash` is the Spec
  /// by which keys are hashed in all readings.
  SecondPass(Input& input, KeyRule rule, const Spec& hash, uint64_t memory,
             const EngineOptions& options);

  /// For the first reading: one chunk after the other, once the filter has answered.
  void Note(const Chunk& chunk);

  /// After the first reading: what becomes of chunks when their answers are proved, as in
  /// StageCalls. All may be empty: then only Run's result is wanted.
  struct Calls {
    std::function<void(const Chunk&)> filtered;
    std::function<void(Chunk&)> render;
    std::function<void(Chunk&)> write;
  };
  /// Throws FileError if the input has changed, or from temporary files; else as Stages::Run.
  Proof Run(const Calls& calls, int threads);

 private:
  using Decision = std::function<void(Chunk&, const KeyMaker&)>;

  void Read(const Decision& decide, const Calls& calls, int threads);
  void Decide(Chunk& chunk, const KeyMaker& maker);
  void DecideAgain(Chunk& chunk, NumberRuns::Merged& firsts);
  void FindSuspects(Chunk& chunk);
  uint64_t HashOf(const Chunk& chunk, uint64_t i) const {
    return chunk.hashes[i * static_cast<uint64_t>(chunk.hash_words)];
  }

  Input& input_;
  KeyRule rule_;
  Spec hash_;
  uint64_t memory_;
  Filter suspects_;
  Engine engine_;                // writes to suspects_
  Engine hasher_;                // called by many threads at once
  std::vector<uint64_t> noted_;  // hashes of one chunk's suspects
  Fingerprint first_;            // of the first reading
  Fingerprint now_;              // of the one that goes on, up to the chunk that is decided on
  uint64_t chunks_ = 0;          // the same, in chunks
  std::vector<uint64_t> found_;  // which keys of a chunk are suspects
  FirstFinder finder_;
  NumberRuns firsts_;            // keys found to be first whose chunk was not written
  Fingerprint decided_;          // as far as the second reading could tell
  uint64_t decided_chunks_ = 0;  // the same, in chunks
  Proof proof_;
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_SECOND_PASS_H_
