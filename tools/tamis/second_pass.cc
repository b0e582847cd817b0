#include "second_pass.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "stages.h"
#include "tamis/error.h"

namespace tamis::command {

namespace {

constexpr const char* kChanged = "the input has changed while it was read";

// Suspects are at most half of all keys, since each but the false ones came twice: 2 bits for every
// 8 bytes of text are 15 or more for each of them, where lines have 60 bytes. A compressed file
// holds some times more than its bytes say. Too small a filter only makes more keys suspects.
uint64_t SuspectBytes(const Input& input, uint64_t memory) {
  constexpr uint64_t kLeast = 4096;
  constexpr uint64_t kTextPerByte = 32;
  constexpr uint64_t kExpansion = 8;
  const uint64_t most = memory / 8;
  if (!input.total_bytes()) return most;
  const uint64_t text = *input.total_bytes() * (input.compressed() ? kExpansion : 1);
  return std::clamp(text / kTextPerByte, std::min(kLeast, most), most);
}

Plan SuspectPlan(const Spec& hash, uint64_t bytes) {
  return PlanForBytes(bytes, {.variant = hash.variant,
                              .seed = hash.seed,
                              .hash = hash.hash,
                              .secret = hash.secret,
                              .probe = hash.probe});
}

// Calls for every key whose answer is `wanted`, by its index.
template <typename F>
void ForEachAnswer(const Chunk& chunk, bool wanted, F&& call) {
  for (uint64_t i = 0; i < chunk.keys; i += 8) {
    unsigned bits = chunk.answers[i / 8];
    if (!wanted) bits = ~bits;
    bits &= chunk.keys - i < 8 ? (1U << (chunk.keys - i)) - 1 : 0xff;
    for (; bits != 0; bits &= bits - 1) call(i + static_cast<uint64_t>(std::countr_zero(bits)));
  }
}

}  // namespace

void Fingerprint::Add(const Chunk& chunk) {
  const auto words = static_cast<uint64_t>(chunk.hash_words);
  // Odd factors that differ from key to key, so that the order matters, and no chunk's end does.
  uint64_t factor = 2 * keys + 1;
  for (uint64_t i = 0; i < chunk.keys; ++i, factor += 2) sum += factor * chunk.hashes[i * words];
  records += chunk.records;
  keys += chunk.keys;
}

SecondPass::SecondPass(Input& input, KeyRule rule, const Spec& hash, uint64_t memory,
                       const EngineOptions& options)
    : input_(input),
      rule_(std::move(rule)),
      hash_(hash),
      memory_(memory),
      suspects_(SuspectPlan(hash, SuspectBytes(input, memory))),
      engine_(options),
      hasher_(options),
      finder_(memory - suspects_.spec().bytes()) {
  input_.KeepForRewind();
}

void SecondPass::Note(const Chunk& chunk) {
  const auto words = static_cast<uint64_t>(chunk.hash_words);
  noted_.clear();
  ForEachAnswer(chunk, false, [&](uint64_t i) {
    noted_.insert(noted_.end(), &chunk.hashes[i * words], &chunk.hashes[i * words] + words);
  });
  engine_.Insert(suspects_, Keys::Hashes(noted_, chunk.hash_words));
  proof_.suspects += noted_.size() / words;
  first_.Add(chunk);
}

// After the filter of suspects has answered: turns its answers into those of dedup, as far as it
// can tell, and leaves the others to found_.
void SecondPass::FindSuspects(Chunk& chunk) {
  found_.clear();
  ForEachAnswer(chunk, true, [&](uint64_t i) { found_.push_back(i); });
  for (uint64_t i = 0; i < AnswerBytes(chunk.keys); ++i) {
    chunk.answers[i] = static_cast<uint8_t>(~unsigned{chunk.answers[i]});
  }
}

void SecondPass::Decide(Chunk& chunk, const KeyMaker& maker) {
  constexpr size_t kSlotAhead = 32;  // enough for the machine's memory to answer
  constexpr size_t kEntryAhead = 16;
  const bool waited = finder_.waits();
  FindSuspects(chunk);
  std::vector<uint64_t>& firsts = noted_;
  firsts.clear();
  for (size_t i = 0; i < found_.size(); ++i) {
    if (i + kSlotAhead < found_.size()) {
      finder_.PrefetchSlot(HashOf(chunk, found_[i + kSlotAhead]));
      finder_.PrefetchEntry(HashOf(chunk, found_[i + kEntryAhead]));
    }
    const uint64_t key = found_[i];
    const FirstFinder::Answer answer = finder_.Meet(
        {.number = now_.keys + key, .hash = HashOf(chunk, key), .bytes = maker.KeyAt(chunk, key)});
    const bool first = answer == FirstFinder::Answer::kFirst;
    SetAnswer(chunk.answers.data(), key, first);
    if (first) firsts.push_back(now_.keys + key);
  }
  proof_.fresh += chunk.keys - found_.size() + firsts.size();
  chunk.decided = !finder_.waits();
  if (waited || chunk.decided) return;
  decided_ = now_;
  decided_chunks_ = chunks_;
  for (const uint64_t first : firsts) firsts_.Append(first);
}

// With memory used up in the second reading: what waited then is settled.
void SecondPass::DecideAgain(Chunk& chunk, NumberRuns::Merged& firsts) {
  if (chunks_ == decided_chunks_ && now_ != decided_) throw FileError(kChanged);
  chunk.decided = chunks_ >= decided_chunks_;
  if (!chunk.decided) return;
  FindSuspects(chunk);
  for (std::optional<uint64_t> first = firsts.Peek(); first; first = firsts.Peek()) {
    if (*first >= now_.keys + chunk.keys) break;
    SetAnswer(chunk.answers.data(), *first - now_.keys, true);
    firsts.Take();
  }
}

void SecondPass::Read(const Decision& decide, const Calls& calls, int threads) {
  input_.Rewind();
  ++proof_.readings;
  now_ = {};
  chunks_ = 0;
  KeyMaker maker(rule_);
  const auto if_decided = [](const std::function<void(Chunk&)>& call) {
    return [&call](Chunk& chunk) {
      if (call && chunk.decided) call(chunk);
    };
  };
  Stages stages({
      .read = [&](Chunk& chunk) { return ReadRecords(input_, maker, chunk); },
      .prepare =
          [&](Chunk& chunk) {
            maker.Prepare(chunk, hasher_, hash_);
            chunk.MakeAnswers();
            hasher_.Contains(suspects_, chunk.HashedKeys(), chunk.answers);
          },
      .filter =
          [&](Chunk& chunk) {
            decide(chunk, maker);
            now_.Add(chunk);
            ++chunks_;
            if (calls.filtered) calls.filtered(chunk);
          },
      .render = if_decided(calls.render),
      .write = if_decided(calls.write),
  });
  input_.OnLongRecord([&] { stages.AwaitEarlier(); });
  stages.Run(threads);
  if (now_ != first_) throw FileError(kChanged);
}

Proof SecondPass::Run(const Calls& calls, int threads) {
  Read([&](Chunk& chunk, const KeyMaker& maker) { Decide(chunk, maker); }, calls, threads);
  if (finder_.waits()) {
    const uint64_t known = firsts_.size();
    finder_.Settle(firsts_);
    proof_.fresh += firsts_.size() - known;
    proof_.spilled_bytes = finder_.spilled_bytes();
  }
  proof_.wrong = proof_.fresh + proof_.suspects - first_.keys;
  if (finder_.waits() && calls.write) {
    NumberRuns::Merged firsts(firsts_, memory_ / 8);
    Read([&](Chunk& chunk, const KeyMaker&) { DecideAgain(chunk, firsts); }, calls, threads);
  }
  return proof_;
}

}  // namespace tamis::command
