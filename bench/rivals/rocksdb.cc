// RocksDB's filters, as its tables use them: FastLocalBloom (cache-local, 512-bit blocks) and
// Ribbon (fewer bits, slower to build).
//
// Its policies are public, and give objects whose class is declared in a header that is not
// installed. The two classes below repeat that declaration, as releases 7 and 8 have it
// (table/block_based/filter_policy_internal.h): their virtual functions, in order. CMake takes no
// other release.

#include <rocksdb/filter_policy.h>
#include <rocksdb/slice.h>
#include <rocksdb/table.h>

#include <array>
#include <memory>

#include "bench/rivals/rival.h"

namespace ROCKSDB_NAMESPACE {

class FilterBitsBuilder {
 public:
  virtual ~FilterBitsBuilder() = default;
  virtual void AddKey(const Slice& key) = 0;
  virtual size_t EstimateEntriesAdded() = 0;
  virtual Slice Finish(std::unique_ptr<const char[]>* memory) = 0;
  virtual Slice Finish(std::unique_ptr<const char[]>* memory, Status* status) = 0;
};

class FilterBitsReader {
 public:
  virtual ~FilterBitsReader() = default;
  virtual bool MayMatch(const Slice& key) = 0;
  virtual void MayMatch(int count, Slice** keys, bool* may_match) = 0;
};

}  // namespace ROCKSDB_NAMESPACE

namespace tamis::bench {

namespace {

namespace rocksdb = ROCKSDB_NAMESPACE;

using MakePolicy = const rocksdb::FilterPolicy* (*)(double bits_per_key);

rocksdb::Slice SliceOf(const uint64_t& key) {
  return {reinterpret_cast<const char*>(&key), sizeof key};
}

class RocksDb : public Rival {
 public:
  explicit RocksDb(MakePolicy make_policy) : make_policy_(make_policy) {}

  void Reset(uint64_t /*keys*/, double bits_per_key) override {
    reader_.reset();
    policy_.reset(make_policy_(bits_per_key));
    builder_.reset(policy_->GetBuilderWithContext(rocksdb::FilterBuildingContext(options_)));
  }
  void Insert(std::span<const uint64_t> keys) override {
    for (const uint64_t& key : keys) builder_->AddKey(SliceOf(key));
  }
  void Seal() override {
    filter_ = builder_->Finish(&memory_);
    builder_.reset();
    reader_.reset(policy_->GetFilterBitsReader(filter_));
  }
  // 32 at a time, as its batched gets do.
  uint64_t Contains(std::span<const uint64_t> keys) override {
    constexpr size_t kTogether = 32;
    std::array<rocksdb::Slice, kTogether> slices;
    std::array<rocksdb::Slice*, kTogether> pointers{};
    std::array<bool, kTogether> matches{};
    uint64_t present = 0;
    for (size_t i = 0; i < kTogether; ++i) pointers[i] = &slices[i];
    for (size_t first = 0; first < keys.size(); first += kTogether) {
      const size_t count = std::min(kTogether, keys.size() - first);
      for (size_t i = 0; i < count; ++i) slices[i] = SliceOf(keys[first + i]);
      reader_->MayMatch(static_cast<int>(count), pointers.data(), matches.data());
      for (size_t i = 0; i < count; ++i) present += matches[i] ? 1 : 0;
    }
    return present;
  }
  uint64_t bytes() const override { return filter_.size(); }

 private:
  MakePolicy make_policy_;
  rocksdb::BlockBasedTableOptions options_;
  std::unique_ptr<const rocksdb::FilterPolicy> policy_;
  std::unique_ptr<rocksdb::FilterBitsBuilder> builder_;
  std::unique_ptr<const char[]> memory_;
  rocksdb::Slice filter_;
  std::unique_ptr<rocksdb::FilterBitsReader> reader_;
};

class FastLocalBloom final : public RocksDb {
 public:
  FastLocalBloom()
      : RocksDb([](double bits_per_key) { return rocksdb::NewBloomFilterPolicy(bits_per_key); }) {}
};

class Ribbon final : public RocksDb {
 public:
  Ribbon()
      : RocksDb([](double bits_per_key) { return rocksdb::NewRibbonFilterPolicy(bits_per_key); }) {}
};

}  // namespace

void AddRocksdb(std::vector<RivalEntry>& rivals) {
  rivals.push_back({"RocksDB", "FastLocalBloom", true, Make<FastLocalBloom>});
  rivals.push_back({"RocksDB", "Ribbon", false, Make<Ribbon>});
}

}  // namespace tamis::bench
