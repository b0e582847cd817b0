#include "lines.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace tamis::command {

namespace {

// Room for records is doubled when it runs out, up to what a chunk of empty ones takes.
void MakeRoom(std::vector<uint32_t>& offsets, size_t needed) {
  if (needed > offsets.size()) offsets.resize(std::max<size_t>(2 * needed, 1024));
}

}  // namespace

void FindRecords(Chunk& chunk, char delimiter) {
  const char* const begin = chunk.buffer.data();
  const char* const end = begin + chunk.size;
  uint64_t found = 0;
  for (const char* at = begin; at < end; ++found) {
    MakeRoom(chunk.offsets, found + 2);
    chunk.offsets[found] = static_cast<uint32_t>(at - begin);
    const void* hit = std::memchr(at, delimiter, static_cast<size_t>(end - at));
    at = (hit != nullptr ? static_cast<const char*>(hit) : end) + 1;
    chunk.offsets[found + 1] = static_cast<uint32_t>(at - begin);
  }
  chunk.records = found;
}

void HashRecords(Chunk& chunk, char delimiter, const Engine& engine, const Spec& spec) {
  if (chunk.oversize()) {
    chunk.records = 1;
    if (chunk.hashes.empty()) chunk.hashes.resize(1);
    const std::string_view record(chunk.buffer.data(), chunk.size - (chunk.unterminated ? 0 : 1));
    engine.Hash(spec, Keys::Views({&record, 1}), chunk.hashes);
    return;
  }
  FindRecords(chunk, delimiter);
  if (chunk.hashes.size() < chunk.records) chunk.hashes.resize(chunk.offsets.size());
  const std::span<const uint32_t> offsets(chunk.offsets.data(), chunk.records + 1);
  engine.Hash(spec, Keys::Strings(offsets, chunk.buffer.data(), 1), chunk.hashes);
}

}  // namespace tamis::command
