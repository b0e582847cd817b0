#include "verdict.h"

#include <fmt/format.h>

#include <cstdio>

#include "format.h"
#include "tamis/answers.h"
#include "tamis/error.h"

namespace tamis::command {

void BadMeter::Add(const Chunk& chunk, const std::string& name) {
  if (chunk.bad.empty()) return;
  if (count_ == 0) {
    const uint64_t index = chunk.bad.indices.front();
    const uint64_t offset = chunk.file_offset + (chunk.oversize() ? 0 : chunk.offsets[index]);
    const std::string what =
        OneLine(fmt::format("{}: record at byte {}: {}", name, offset, chunk.bad.first));
    if (policy_ == OnError::kFail) throw FileError(what);
    fmt::print(stderr, "tamis {}: warning: {} (it is {}, as are others like it)\n", command_, what,
               policy_ == OnError::kKeep ? "kept" : "dropped");
  }
  count_ += chunk.bad.indices.size();
}

void Spread(Chunk& chunk, OnError policy) {
  chunk.kept.assign(AnswerBytes(chunk.records), 0);
  chunk.others.assign(AnswerBytes(chunk.records), 0);
  size_t bad = 0;
  for (uint64_t i = 0; i < chunk.records; ++i) {
    if (bad < chunk.bad.indices.size() && chunk.bad.indices[bad] == i) {
      ++bad;
      SetAnswer(chunk.kept.data(), i, policy == OnError::kKeep);
      continue;
    }
    const bool fresh = AnswerAt(chunk.answers.data(), i - bad);
    SetAnswer(chunk.kept.data(), i, fresh);
    SetAnswer(chunk.others.data(), i, !fresh);
  }
}

}  // namespace tamis::command
