// The work of tamis: for every operation the keys it is given, what is timed and what is not, and
// the bare accesses that bound it, timed in turns with it on the same memory.

#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>

#include "bench/job.h"
#include "bench/key_set.h"
#include "bench/limits.h"
#include "bench/pinned.h"
#include "bench/shared_filter.h"
#include "bench/streams.h"
#include "tamis/engine.h"
#include "tamis/machine.h"

namespace tamis::bench {

namespace {

// Calls f(first, count) for batches of 0..n.
template <typename F>
void ForBatches(uint64_t n, uint64_t batch, F&& f) {
  for (uint64_t first = 0; first < n; first += batch) f(first, std::min(batch, n - first));
}

// Calls f(key) for every key, as the type that verbs on one key take.
template <typename F>
void ForSingles(const KeySet& set, F&& f) {
  const Keys keys = set.keys();
  if (!set.numbers().empty()) {
    for (const uint64_t key : set.numbers()) f(key);
  } else {
    for (uint64_t i = 0; i < keys.size(); ++i) f(keys[i]);
  }
}

class TamisJob final : public Job {
 public:
  TamisJob(const WorkRow& row, SharedFilter& shared, const Effort& effort)
      : row_(row),
        effort_(effort),
        engine_({.backend = row.backend, .target = row.target, .threads = row.threads}),
        shared_(shared),
        filter_(row.op == "insert_new" ? shared.Half(row) : shared.Full(row)) {
    if (row.op == "contains") PrepareContains();
    if (row.op == "insert") PrepareInsert();
    if (row.op == "insert_new") PrepareInsertNew();
    if (row.op == "merge") PrepareMerge();
    if (row.op == "hash") PrepareHash();
    if (!work_) throw InvalidArgument("unknown operation '" + row.op + "'");
    if (access_) best_ = shared.BestFor(*access_);
    ConfineTo(row_.threads);
    work_();  // scratch is there, the filter as near as it gets
  }

  double Repeat() override {
    const double limit = LimitSeconds();
    const double took = work_();
    speeds_.push_back(static_cast<double>(total_) / took / 1e6);
    if (limit > 0) {
      limits_.push_back(static_cast<double>(total_) / limit / 1e6);
      shares_.push_back(limit / took);
    }
    return took;
  }

  void Report(WorkRow& row) const override {
    row.backend = engine_.backend();
    row.target = engine_.target();
    row.threads = engine_.threads();
    row.batch = row_.batch;
    row.pages = filter_.storage().pages();
    row.mkeys_per_s = Median(speeds_);
    if (!limits_.empty()) {
      row.limit_mkeys_per_s = Median(limits_);
      row.limit_share = Median(shares_);
    }
    if (row.op == "hash" || row.op == "merge") return;
    row.fpr = shared_.fpr();
    row.fpr_theory = shared_.fpr_theory();
  }

 private:
  uint64_t Pool() const {
    return PoolSize(row_.batch, filter_.spec().bytes(), KeyBytes(row_.key_kind), effort_);
  }

  // Rounds over n keys that make a repetition.
  uint64_t RoundsOf(uint64_t n) {
    const uint64_t rounds = std::max<uint64_t>(1, effort_.keys / n);
    total_ = rounds * n;
    return rounds;
  }

  void PrepareContains() {
    access_ = Access::kRead;
    keys_ = KeySet::Mixed(row_.key_kind, Pool(), row_.filter_keys, row_.hit_share, 1);
    answers_.resize(AnswerBytes(row_.batch));
    work_ = [this, rounds = RoundsOf(keys_->size())] {
      return Seconds(row_.threads, [&] {
        for (uint64_t round = 0; round < rounds; ++round) ContainsOnce();
      });
    };
  }

  void ContainsOnce() {
    if (row_.batch == 1) {
      ForSingles(*keys_, [&](auto key) { found_ += engine_.ContainsOne(filter_, key); });
      return;
    }
    const Keys keys = keys_->keys();
    ForBatches(keys.size(), row_.batch, [&](uint64_t first, uint64_t count) {
      found_ += engine_.Contains(filter_, keys.Slice(first, count), answers_);
    });
  }

  // A small filter is built from empty; of a large one, some keys are put in that it has: Insert
  // does not look.
  void PrepareInsert() {
    access_ = Access::kUpdate;
    keys_ = KeySet::Range(row_.key_kind, 0, std::min(Pool(), row_.filter_keys));
    row_.batch = std::min(row_.batch, keys_->size());
    row_.hit_share = 0;
    const bool clear = keys_->size() == row_.filter_keys;
    if (clear) shared_.Spoil();
    work_ = [this, clear, rounds = RoundsOf(keys_->size())] {
      double seconds = 0;
      for (uint64_t round = 0; round < rounds; ++round) {
        if (clear) filter_.Clear();
        seconds += Seconds(row_.threads, [&] { InsertOnce(); });
      }
      return seconds;
    };
  }

  void InsertOnce() {
    if (row_.batch == 1) {
      ForSingles(*keys_, [&](auto key) { found_ += engine_.InsertOne(filter_, key); });
      return;
    }
    const Keys keys = keys_->keys();
    ForBatches(keys.size(), row_.batch, [&](uint64_t first, uint64_t count) {
      engine_.Insert(filter_, keys.Slice(first, count));
    });
  }

  // Into a half-full filter, whose bytes are put back before each round.
  void PrepareInsertNew() {
    access_ = Access::kUpdate;
    const uint64_t half = row_.filter_keys / 2;
    const uint64_t small = std::max(row_.batch, std::min(effort_.keys, uint64_t{1} << 18));
    keys_ = KeySet::Mixed(row_.key_kind, std::min(half, small), half, row_.hit_share, 2);
    row_.batch = std::min(row_.batch, keys_->size());
    answers_.resize(AnswerBytes(row_.batch));
    saved_.emplace(filter_.plan());
    std::memcpy(saved_->mutable_data(), filter_.bytes().data(), filter_.bytes().size());
    shared_.Spoil();
    work_ = [this, rounds = RoundsOf(keys_->size())] {
      double seconds = 0;
      for (uint64_t round = 0; round < rounds; ++round) {
        std::memcpy(filter_.mutable_data(), saved_->bytes().data(), saved_->bytes().size());
        seconds += Seconds(row_.threads, [&] { InsertNewOnce(); });
      }
      return seconds;
    };
  }

  void InsertNewOnce() {
    if (row_.batch == 1) {
      ForSingles(*keys_, [&](auto key) { found_ += engine_.InsertOne(filter_, key); });
      return;
    }
    const Keys keys = keys_->keys();
    ForBatches(keys.size(), row_.batch, [&](uint64_t first, uint64_t count) {
      found_ += engine_.InsertNew(filter_, keys.Slice(first, count), answers_);
    });
  }

  // With a filter of the same bytes, so that nothing changes.
  void PrepareMerge() {
    saved_.emplace(filter_.plan());
    std::memcpy(saved_->mutable_data(), filter_.bytes().data(), filter_.bytes().size());
    row_.batch = row_.filter_keys;
    work_ = [this, rounds = RoundsOf(row_.filter_keys)] {
      return Seconds(row_.threads, [&] {
        for (uint64_t round = 0; round < rounds; ++round) engine_.Merge(filter_, *saved_);
      });
    };
  }

  void PrepareHash() {
    keys_ = KeySet::Range(row_.key_kind, 0, Pool());
    work_ = [this, rounds = RoundsOf(keys_->size())] { return HashSeconds(rounds); };
  }

  double HashSeconds(uint64_t rounds) {
    // One thread's hashes stay in its cache; several need whole batches.
    const uint64_t batch = row_.threads == 1 ? 4096 : keys_->size();
    hashes_.resize(std::min(batch, keys_->size()) *
                   static_cast<uint64_t>(filter_.spec().hash_words()));
    const Keys keys = keys_->keys();
    return Seconds(row_.threads, [&] {
      for (uint64_t round = 0; round < rounds; ++round) {
        ForBatches(keys.size(), batch, [&](uint64_t first, uint64_t count) {
          engine_.Hash(filter_.spec(), keys.Slice(first, count), hashes_);
        });
      }
    });
  }

  // What the same number of bare accesses takes; for keys of bytes, or hashing alone if that is
  // more. 0 where no limit applies.
  double LimitSeconds() {
    if (!access_) return 0;
    const uint64_t count = total_ * static_cast<uint64_t>(shared_.accesses());
    const double accesses =
        AccessSeconds(shared_.blocks(), *access_, count, best_, seed_ += count, row_.threads);
    if (row_.key_kind == "u64") return accesses;
    return std::max(accesses, HashSeconds(total_ / keys_->size()));
  }

  WorkRow row_;
  Effort effort_;
  Engine engine_;
  SharedFilter& shared_;
  Filter& filter_;
  std::optional<Access> access_;
  Prefetching best_{};
  std::optional<KeySet> keys_;
  std::optional<Filter> saved_;
  std::vector<uint8_t> answers_;
  std::vector<uint64_t> hashes_;
  std::function<double()> work_;  // seconds of the timed part
  uint64_t total_ = 0;            // keys of a repetition
  uint64_t found_ = 0;            // keeps answers from being optimised away
  uint64_t seed_ = 1;
  std::vector<double> speeds_;
  std::vector<double> limits_;
  std::vector<double> shares_;
};

}  // namespace

uint64_t PoolSize(uint64_t batch, uint64_t filter_bytes, uint64_t key_bytes, const Effort& effort) {
  constexpr uint64_t kNear = uint64_t{1} << 18;
  // The last cache may be shared with many, or be told too large.
  const uint64_t near_bytes = std::min(ThisMachine().l3_bytes / 4, 4 * ThisMachine().l2_bytes);
  const bool small = filter_bytes < near_bytes || key_bytes > 8;
  return std::max(batch, std::min(small ? kNear : effort.keys, effort.keys));
}

std::unique_ptr<Job> MakeTamisJob(const WorkRow& row, SharedFilter& shared, const Effort& effort) {
  Effort own = effort;
  if (row.target == "scalar") own.keys /= 4;  // so that the slowest does not take most of the time
  return std::make_unique<TamisJob>(row, shared, own);
}

}  // namespace tamis::bench
