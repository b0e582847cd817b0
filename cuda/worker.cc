#include "cuda/worker.h"

#include <algorithm>
#include <string>

#include "tamis/error.h"

namespace tamis::gpu {

namespace {

// Keys that look-ups and inserts take at a time: enough to fill the device many times over.
constexpr uint64_t kLookUpChunk = uint64_t{1} << 24;
// Below this many keys there is no point in trying with fewer.
constexpr uint64_t kSmallestChunk = uint64_t{1} << 16;

uint64_t RoundedUp(uint64_t n) { return (n + 63) / 64 * 64; }

}  // namespace

void RequireRuns(const Spec& spec) {
  if (Runs(spec)) return;
  throw InvalidArgument("the cuda backend runs classic filters of at most " +
                        std::to_string(kMostBits) + " bits, not of " + std::to_string(spec.m));
}

Worker::Worker(const Kernels& kernels)
    : kernels_(kernels),
      device_(CurrentDevice()),
      staging_(device_),
      count_(sizeof(uint64_t)),
      count_here_(sizeof(uint64_t)) {}

template <typename F>
uint64_t Worker::GrowScratch(uint64_t most, F&& bytes_for) {
  for (uint64_t chunk = most;; chunk = RoundedUp(chunk / 2)) {
    const uint64_t bytes = bytes_for(chunk);
    try {
      scratch_.Grow(bytes);
      return chunk;
    } catch (const MemoryError&) {
      if (chunk <= kSmallestChunk) throw;
    }
  }
}

template <typename F>
uint64_t Worker::Answered(const DeviceBits& filter, const Keys& keys, uint64_t most,
                          uint8_t* answers, cudaStream_t stream, F&& verb) {
  const bool there = answers != nullptr && OnDevice(answers);
  if (there && reinterpret_cast<uintptr_t>(answers) % sizeof(uint32_t) != 0) {
    throw InvalidArgument("answers in the device's memory must be at a multiple of 4 bytes");
  }
  const bool fetch = answers != nullptr && !there;
  answers_.Start();
  Check(cudaMemsetAsync(count_.data(), 0, sizeof(uint64_t), stream), "clearing a counter");
  staging_.ForChunks(
      kernels_, filter.spec, keys, most, stream,
      [&](const Queue& queue, const WordKeys& words, uint64_t first, uint64_t count) {
        uint32_t* out = nullptr;
        if (there) out = reinterpret_cast<uint32_t*>(answers + first / 8);
        if (fetch) out = answers_.Next(count);
        verb(queue, words, count, out);
        if (fetch) answers_.Fetch(answers + first / 8, stream);
      });
  Check(cudaMemcpyAsync(count_here_.data(), count_.data(), sizeof(uint64_t), cudaMemcpyDeviceToHost,
                        stream),
        "copying a counter from the device");
  Await(stream);
  answers_.Finish();
  return *count_here_.data<uint64_t>();
}

void Worker::Insert(const DeviceBits& filter, const Keys& keys, cudaStream_t stream) {
  RequireRuns(filter.spec);
  const uint64_t most = std::min(kLookUpChunk, RoundedUp(keys.size()));
  InsertWay way = InsertWayFor(device_, filter.spec, most);
  if (way == InsertWay::kPartition) {
    try {
      scratch_.Grow(InsertScratchBytes(way, filter.spec, most));
    } catch (const MemoryError&) {
      way = InsertWay::kLookFirst;
    }
  }
  staging_.ForChunks(
      kernels_, filter.spec, keys, most, stream,
      [&](const Queue& queue, const WordKeys& words, uint64_t /*first*/, uint64_t count) {
        gpu::Insert(queue, way, filter, words, count, scratch_.data(), scratch_.size());
      });
}

uint64_t Worker::InsertNew(const DeviceBits& filter, const Keys& keys, uint8_t* answers,
                           cudaStream_t stream) {
  RequireRuns(filter.spec);
  const uint64_t most =
      GrowScratch(std::min(InsertNewChunk(filter.spec), RoundedUp(keys.size())),
                  [&](uint64_t chunk) { return InsertNewScratchBytes(filter.spec, chunk); });
  return Answered(filter, keys, most, answers, stream,
                  [&](const Queue& queue, const WordKeys& words, uint64_t count, uint32_t* out) {
                    gpu::InsertNew(queue, filter, words, count, out, count_.data<uint64_t>(),
                                   scratch_.data(), scratch_.size());
                  });
}

uint64_t Worker::Contains(const DeviceBits& filter, const Keys& keys, uint8_t* answers,
                          cudaStream_t stream) {
  RequireRuns(filter.spec);
  const uint64_t most = std::min(kLookUpChunk, RoundedUp(keys.size()));
  return Answered(filter, keys, most, answers, stream,
                  [&](const Queue& queue, const WordKeys& words, uint64_t count, uint32_t* out) {
                    gpu::Contains(queue, filter, words, count, out, count_.data<uint64_t>());
                  });
}

void Worker::Merge(std::byte* into, const std::byte* from, uint64_t bytes, cudaStream_t stream) {
  if (OnDevice(from)) {
    gpu::Merge(Queue{device_, stream}, into, from, bytes);
    return Await(stream);
  }
  // Piece by piece, so that no second filter's worth of memory is needed.
  const uint64_t piece = std::min(bytes, kSlotBytes);
  scratch_.Grow(piece);
  for (uint64_t at = 0; at < bytes; at += piece) {
    const uint64_t size = std::min(piece, bytes - at);
    Check(cudaMemcpyAsync(scratch_.data(), from + at, size, cudaMemcpyHostToDevice, stream),
          "copying a filter to the device");
    gpu::Merge(Queue{device_, stream}, into + at, scratch_.data(), size);
  }
  Await(stream);
}

uint64_t Worker::CountSetBits(const std::byte* bits, uint64_t bytes, cudaStream_t stream) {
  return gpu::CountSetBits(Queue{device_, stream}, bits, bytes);
}

}  // namespace tamis::gpu
