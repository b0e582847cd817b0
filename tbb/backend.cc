// The tbb backend: a batch cut into pieces that need no lock.
//
//   Contains, Hash   by keys: each piece is a run of whole answer words.
//   Insert(New)      by blocks, "owner computes": every thread walks the whole batch in order and
//                    takes only keys whose block lies in its own range. No atomics, no lost bit,
//                    and keys of one block meet in batch order, so that InsertNew answers in order.
//                    With more threads each key is hashed once and sorted to its owner first
//                    (tbb/partition.h).
//
// Walking the batch once a thread is cheap for keys that hash in lanes, as long as threads are few;
// others are hashed first, each once, and the owners walk the hashes. Each owner answers into a
// bitmap of its own; the bitmaps are ORed. Batches are taken in chunks, which bounds bitmaps and
// hashes.

#include "tamis/backend.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "tamis/answers.h"
#include "tbb/loop.h"
#include "tbb/partition.h"
#include "tbb/scratch.h"

namespace tamis {

namespace {

// Keys that owners take at a time.
constexpr uint64_t kChunk = uint64_t{1} << 20;
// Threads from which sorting keys to their owners beats owners who all walk the batch.
constexpr int kSortingThreads = 8;
// Keys of a piece: a multiple of 512, so that no two pieces write to one cache line of aligned
// answers.
constexpr uint64_t kGrain = uint64_t{512} * 32;
// Bytes of a piece to merge.
constexpr uint64_t kMergeGrain = uint64_t{1} << 20;

// Whether hashing a key again costs less than fetching its hash: keys that hash in lanes, of 8
// bytes, or of a few whole words by XXH64.
bool CheapToHash(const Spec& spec, const Keys& keys) {
  if (keys.kind() == Keys::Kind::kHashes) return true;
  if (keys.kind() != Keys::Kind::kFixed) return false;
  const bool xxh64 = spec.hash == HashScheme::kXxh64 && spec.hash_words() == 1;
  return keys.width() == 8 || (xxh64 && keys.width() % 4 == 0 && keys.width() <= 16);
}

class Parallel final : public Executor {
 public:
  Parallel(const Kernels& kernels, int threads)
      : kernels_(kernels), threads_(threads), arena_(threads) {
    if (threads > oneapi::tbb::this_task_arena::max_concurrency()) {
      more_threads_.emplace(oneapi::tbb::global_control::max_allowed_parallelism, threads);
    }
  }

  void Hash(const Spec& spec, const Keys& keys, uint64_t* hashes) const override {
    const auto words = static_cast<uint64_t>(spec.hash_words());
    ForPieces(keys.size(), kGrain, [&](uint64_t first, uint64_t count) {
      kernels_.hash(spec, keys.Slice(first, count), hashes + first * words);
    });
  }

  uint64_t Contains(const Batch& batch, uint8_t* answers) const override {
    std::atomic<uint64_t> present = 0;
    ForPieces(batch.keys.size(), kGrain, [&](uint64_t first, uint64_t count) {
      Batch piece = batch;
      piece.keys = batch.keys.Slice(first, count);
      uint8_t* out = answers == nullptr ? nullptr : answers + first / 8;
      present += kernels_.Of(batch.spec.variant).contains(piece, out);
    });
    return present;
  }

  void Insert(const Batch& batch) override {
    if (Owners(batch.spec) == 1) {
      return kernels_.Of(batch.spec.variant).insert(batch, BlockRange::All(batch.spec));
    }
    if (Sorts(batch.spec)) {
      InsertSorted(batch, nullptr, [&](const Batch& segment, uint8_t* /*answers*/) {
        kernels_.Of(batch.spec.variant).insert(segment, BlockRange::All(batch.spec));
        return uint64_t{0};
      });
      return;
    }
    ForChunks(batch, [&](const Batch& chunk, uint64_t /*first*/) {
      ForOwners(chunk.spec, [&](int /*owner*/, BlockRange owned) {
        kernels_.Of(chunk.spec.variant).insert(chunk, owned);
      });
    });
  }

  uint64_t InsertNew(const Batch& batch, uint8_t* answers) override {
    if (Owners(batch.spec) == 1) {
      return kernels_.Of(batch.spec.variant)
          .insert_new(batch, BlockRange::All(batch.spec), answers);
    }
    if (Sorts(batch.spec)) {
      return InsertSorted(batch, answers, [&](const Batch& segment, uint8_t* own) {
        return kernels_.Of(batch.spec.variant)
            .insert_new(segment, BlockRange::All(batch.spec), own);
      });
    }
    // A classic filter's key may be new for several owners, and counts once.
    const bool combined = answers != nullptr || batch.spec.classic();
    std::atomic<uint64_t> fresh = 0;
    uint64_t sum = 0;
    ForChunks(batch, [&](const Batch& chunk, uint64_t first) {
      ForOwners(chunk.spec, [&](int owner, BlockRange owned) {
        uint8_t* own = combined ? BitmapOf(owner) : nullptr;
        fresh += kernels_.Of(chunk.spec.variant).insert_new(chunk, owned, own);
      });
      if (!combined) return;
      uint8_t* out = answers == nullptr ? nullptr : answers + first / 8;
      sum += Combine(chunk.spec, chunk.keys.size(), out);
    });
    return combined ? sum : fresh.load();
  }

  void Merge(std::byte* into, const std::byte* from, uint64_t bytes) override {
    ForPieces(bytes, kMergeGrain, [&](uint64_t first, uint64_t count) {
      kernels_.merge(into + first, from + first, count);
    });
  }

 private:
  static constexpr uint64_t kBitmapWords = kChunk / 64;

  // Calls f(first, count) for pieces of 0..n, in parallel. Pieces start at multiples of `grain`.
  template <typename F>
  void ForPieces(uint64_t n, uint64_t grain, F&& f) const {
    const uint64_t pieces = n / grain + (n % grain != 0);
    if (pieces <= 1) return f(0, n);
    const auto run = [&](uint64_t begin, uint64_t end) {
      const uint64_t first = begin * grain;
      f(first, std::min(end * grain, n) - first);
    };
    ParallelFor(arena_, pieces, run, oneapi::tbb::auto_partitioner());
  }

  // Calls f(chunk, index of its first key) for chunks of the batch, in order. Keys that are dear to
  // hash arrive as hashes.
  template <typename F>
  void ForChunks(const Batch& batch, F&& f) {
    const bool ready = CheapToHash(batch.spec, batch.keys);
    for (uint64_t first = 0; first < batch.keys.size(); first += kChunk) {
      Batch chunk = batch;
      chunk.keys = batch.keys.Slice(first, std::min(kChunk, batch.keys.size() - first));
      if (!ready) {
        const int words = chunk.spec.hash_words();
        const size_t size = chunk.keys.size() * static_cast<size_t>(words);
        hashes_.Reserve(size);
        Hash(chunk.spec, chunk.keys, hashes_.data());
        chunk.keys = Keys::Hashes({hashes_.data(), size}, words);
      }
      f(chunk, first);
    }
  }

  // A classic filter's key has bits with several owners: there is no sorting it to one.
  bool Sorts(const Spec& spec) const { return threads_ >= kSortingThreads && !spec.classic(); }

  // Sorts the batch by blocks, a chunk at a time, and calls insert(segment, where its answers go)
  // for what is one thread's. Returns the sum of what it returns.
  template <typename F>
  uint64_t InsertSorted(const Batch& batch, uint8_t* answers, const F& insert) {
    const uint64_t size = std::max(kChunk, static_cast<uint64_t>(threads_) * Partition::kPiece);
    std::atomic<uint64_t> fresh = 0;
    for (uint64_t first = 0; first < batch.keys.size(); first += size) {
      const Keys keys = batch.keys.Slice(first, std::min(size, batch.keys.size() - first));
      const bool ready = keys.kind() == Keys::Kind::kHashes;
      partition_.Reset(batch.spec, keys.size(), threads_,
                       {.unsorted = !ready, .answers = answers != nullptr});
      ForEach(partition_.pieces(), [&](uint64_t piece) { SortPiece(batch.spec, keys, piece); });
      ForEach(partition_.ranges(), [&](uint64_t range) {
        Batch segment = batch;
        uint64_t sum = 0;
        for (uint64_t piece = 0; piece < partition_.pieces(); ++piece) {
          segment.keys = partition_.Segment(piece, range);
          uint8_t* own = answers == nullptr ? nullptr : partition_.Answers(piece, range);
          sum += insert(segment, own);
        }
        fresh += sum;
      });
      if (answers == nullptr) continue;
      ForEach(partition_.pieces(), [&](uint64_t piece) {
        partition_.PutBack(piece, answers + (first + partition_.First(piece)) / 8);
      });
    }
    return fresh;
  }

  void SortPiece(const Spec& spec, const Keys& chunk, uint64_t piece) {
    const Keys keys = chunk.Slice(partition_.First(piece), partition_.Count(piece));
    if (keys.kind() == Keys::Kind::kHashes) return partition_.SortFrom(piece, keys.hashes());
    kernels_.hash(spec, keys, partition_.Unsorted(piece));
    partition_.Sort(piece);
  }

  // Calls f(i) for 0 to n - 1, in parallel, each a good piece of work.
  template <typename F>
  void ForEach(uint64_t n, const F& f) const {
    const auto run = [&](uint64_t begin, uint64_t end) {
      for (uint64_t i = begin; i < end; ++i) f(i);
    };
    ParallelFor(arena_, n, run, oneapi::tbb::simple_partitioner());
  }

  // Calls f(owner, its blocks) for every owner that has blocks, in parallel.
  template <typename F>
  void ForOwners(const Spec& spec, F&& f) {
    const uint64_t owners = Owners(spec);
    const uint64_t blocks = BlockRange::Count(spec);  // times owners, below 2^64
    const auto range_of = [&](uint64_t owner) {
      return BlockRange{blocks * owner / owners, blocks * (owner + 1) / owners};
    };
    bitmaps_.resize(owners);
    ForEach(owners, [&](uint64_t owner) { f(static_cast<int>(owner), range_of(owner)); });
  }

  uint64_t Owners(const Spec& spec) const {
    return std::min<uint64_t>(BlockRange::Count(spec), static_cast<uint64_t>(threads_));
  }

  uint8_t* BitmapOf(int owner) {
    auto& bitmap = bitmaps_[static_cast<size_t>(owner)];
    if (bitmap == nullptr) bitmap = std::make_unique<uint64_t[]>(kBitmapWords);
    return reinterpret_cast<uint8_t*>(bitmap.get());
  }

  // ORs the owners' answers for n keys into the caller's memory, if any; returns the ones.
  uint64_t Combine(const Spec& spec, uint64_t n, uint8_t* answers) const {
    const uint64_t owners = Owners(spec);
    uint64_t count = 0;
    for (uint64_t word = 0; word * 64 < n; ++word) {
      uint64_t bits = 0;
      for (uint64_t owner = 0; owner < owners; ++owner) bits |= bitmaps_[owner][word];
      const uint64_t valid = std::min<uint64_t>(64, n - word * 64);
      count += static_cast<uint64_t>(std::popcount(bits & (~uint64_t{0} >> (64 - valid))));
      if (answers != nullptr) PutAnswers(answers + word * 8, bits, valid);
    }
    return count;
  }

  const Kernels& kernels_;
  const int threads_;
  std::optional<oneapi::tbb::global_control> more_threads_;
  mutable oneapi::tbb::task_arena arena_;
  std::vector<std::unique_ptr<uint64_t[]>> bitmaps_;  // one an owner
  Scratch<uint64_t> hashes_;                          // of a chunk
  Partition partition_;
};

class Tbb final : public Backend {
 public:
  std::string_view name() const override { return "tbb"; }
  std::span<const Kernels> kernels() const override { return {}; }
  bool parallel() const override { return true; }
  std::unique_ptr<Executor> Open(const Kernels& kernels, int threads) const override {
    return std::make_unique<Parallel>(kernels, threads);
  }
};

}  // namespace

const Backend& TbbBackend() {
  static const Tbb backend;
  return backend;
}

}  // namespace tamis
