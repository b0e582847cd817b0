// Arrow's BlockSplitBloomFilter, which its Parquet reader uses: the very bits of split_block, in
// plain code, in a number of bytes that is a power of two.

#include <arrow/util/config.h>
#include <parquet/bloom_filter.h>

#include <bit>
#include <memory>

#include "bench/rivals/rival.h"

namespace tamis::bench {

namespace {

class ArrowFilter final : public Rival {
 public:
  // A power of two: the next one up to twice as many bits, but no more than it allows.
  void Reset(uint64_t keys, double bits_per_key) override {
    const auto wanted = static_cast<uint64_t>(static_cast<double>(keys) * bits_per_key / 8);
    bytes_ = std::min<uint64_t>(std::bit_ceil(wanted),
                                parquet::BlockSplitBloomFilter::kMaximumBloomFilterBytes);
    filter_ = std::make_unique<parquet::BlockSplitBloomFilter>();
    filter_->Init(static_cast<uint32_t>(bytes_));
    hashes_.resize(kTogether);
  }
  void Insert(std::span<const uint64_t> keys) override {
    ForHashes(keys, [&](size_t count) {
      filter_->InsertHashes(hashes_.data(), static_cast<int>(count));
    });
  }
  uint64_t Contains(std::span<const uint64_t> keys) override {
    uint64_t present = 0;
    ForHashes(keys, [&](size_t count) {
      for (size_t i = 0; i < count; ++i) present += filter_->FindHash(hashes_[i]) ? 1 : 0;
    });
    return present;
  }
  uint64_t bytes() const override { return bytes_; }

 private:
  static constexpr size_t kTogether = 256;

  template <typename F>
  void ForHashes(std::span<const uint64_t> keys, F&& f) {
    for (size_t first = 0; first < keys.size(); first += kTogether) {
      const size_t count = std::min(kTogether, keys.size() - first);
      filter_->Hashes(reinterpret_cast<const int64_t*>(keys.data() + first),
                      static_cast<int>(count), hashes_.data());
      f(count);
    }
  }

  uint64_t bytes_ = 0;
  std::unique_ptr<parquet::BlockSplitBloomFilter> filter_;
  std::vector<uint64_t> hashes_;
};

}  // namespace

void AddArrow(std::vector<RivalEntry>& rivals) {
  rivals.push_back(
      {"Arrow " ARROW_VERSION_STRING, "BlockSplitBloomFilter", true, Make<ArrowFilter>});
}

}  // namespace tamis::bench
