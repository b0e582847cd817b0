#include "bench/rival_job.h"

#include <algorithm>
#include <optional>

#include "bench/job.h"
#include "bench/key_set.h"
#include "bench/pinned.h"
#include "tamis/error.h"

namespace tamis::bench {

namespace {

constexpr uint64_t kChunk = uint64_t{1} << 20;

class RivalJob final : public Job {
 public:
  RivalJob(const WorkRow& row, SharedRival& shared, const Effort& effort)
      : row_(row), shared_(shared), rival_(shared.Get(row)) {
    ConfineTo(1);
    if (row.op == "insert") {
      row_.batch = std::min(kChunk, row.filter_keys);
      // Memory that was used before is faster; a large build is too dear to be done in vain.
      if (row.filter_keys <= kChunk) shared.Build();
    } else {
      shared.EnsureBuilt();
      const uint64_t bytes = rival_.bytes();
      pool_ = KeySet::Mixed("u64", PoolSize(row.batch, bytes, 8, effort), row.filter_keys,
                            row.hit_share, 1);
      rounds_ = std::max<uint64_t>(1, std::min(effort.keys, kChunk) / pool_->size());
    }
  }

  double Repeat() override {
    const double took = row_.op == "insert" ? InsertSeconds() : ContainsSeconds();
    const uint64_t keys = row_.op == "insert" ? row_.filter_keys * Builds() : Asked();
    speeds_.push_back(static_cast<double>(keys) / took / 1e6);
    return took;
  }

  void Report(WorkRow& row) const override {
    row.batch = row_.batch;
    row.bits_per_key =
        8 * static_cast<double>(rival_.bytes()) / static_cast<double>(row.filter_keys);
    row.pages = rival_.huge() ? "huge" : "4k";
    row.fpr = shared_.MeasureFpr();
    row.mkeys_per_s = Median(speeds_);
  }

 private:
  uint64_t Builds() const { return std::max<uint64_t>(1, (kChunk / 4) / row_.filter_keys); }
  uint64_t Asked() const { return rounds_ * pool_->size(); }

  double InsertSeconds() {
    double seconds = 0;
    for (uint64_t build = 0; build < Builds(); ++build) seconds += shared_.Build();
    return seconds;
  }

  double ContainsSeconds() {
    const std::span<const uint64_t> keys = pool_->numbers();
    return ThreadSeconds([&] {
      for (uint64_t round = 0; round < rounds_; ++round) {
        for (uint64_t first = 0; first < keys.size(); first += row_.batch) {
          found_ += rival_.Contains(
              keys.subspan(first, std::min<uint64_t>(row_.batch, keys.size() - first)));
        }
      }
    });
  }

  WorkRow row_;
  SharedRival& shared_;
  Rival& rival_;
  std::optional<KeySet> pool_;
  uint64_t rounds_ = 1;
  uint64_t found_ = 0;  // keeps answers from being optimised away
  std::vector<double> speeds_;
};

}  // namespace

Rival& SharedRival::Get(const WorkRow& row) {
  if (rival_ != nullptr && row.system == row_.system && row.variant == row_.variant &&
      row.filter_keys == row_.filter_keys) {
    return *rival_;
  }
  rival_.reset();
  built_ = false;
  fpr_ = -1;
  row_ = row;
  for (const RivalEntry& entry : Rivals()) {
    if (entry.name == row.system && entry.variant == row.variant) {
      rival_ = entry.make();
      return *rival_;
    }
  }
  throw InvalidArgument("unknown rival '" + row.system + "'");
}

double SharedRival::Build() {
  rival_->Reset(row_.filter_keys, row_.bits_per_key);
  double seconds = 0;
  for (uint64_t done = 0; done < row_.filter_keys; done += kChunk) {
    const KeySet keys = KeySet::Range("u64", done, std::min(kChunk, row_.filter_keys - done));
    seconds += ThreadSeconds([&] { rival_->Insert(keys.numbers()); });
  }
  seconds += ThreadSeconds([&] { rival_->Seal(); });
  built_ = true;
  return seconds;
}

double SharedRival::MeasureFpr() {
  if (fpr_ >= 0) return fpr_;
  const uint64_t count = std::min(effort_.foreign_keys, kChunk);
  const KeySet foreign = KeySet::Range("u64", kForeign + kForeign / 2, count);
  fpr_ = static_cast<double>(rival_->Contains(foreign.numbers())) / static_cast<double>(count);
  return fpr_;
}

std::unique_ptr<Job> MakeRivalJob(const WorkRow& row, SharedRival& shared, const Effort& effort) {
  return std::make_unique<RivalJob>(row, shared, effort);
}

}  // namespace tamis::bench
