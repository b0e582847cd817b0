// Boost.Bloom: the fastest filters that a header brings; its vector code is what the compiler was
// told to use. Bulk operations came with Boost 1.90.

#include <boost/bloom.hpp>
#include <optional>

#include "bench/rivals/allocator.h"
#include "bench/rivals/rival.h"

namespace tamis::bench {

namespace {

template <typename Subfilter, size_t kSubarrays, bool kBulk>
class BoostBloom final : public Rival {
 public:
  void Reset(uint64_t keys, double bits_per_key) override {
    filter_.reset();
    filter_.emplace(static_cast<size_t>(static_cast<double>(keys) * bits_per_key));
  }
  void Insert(std::span<const uint64_t> keys) override {
    if constexpr (kBulk) {
      filter_->insert(keys.begin(), keys.end());
    } else {
      for (const uint64_t key : keys) filter_->insert(key);
    }
  }
  uint64_t Contains(std::span<const uint64_t> keys) override {
    uint64_t present = 0;
    if constexpr (kBulk) {
      filter_->may_contain(keys.begin(), keys.end(),
                           [&](const uint64_t& /*key*/, bool found) { present += found ? 1 : 0; });
    } else {
      for (const uint64_t key : keys) present += filter_->may_contain(key) ? 1 : 0;
    }
    return present;
  }
  uint64_t bytes() const override { return filter_->capacity() / 8; }
  bool huge() const override { return allocated_by<BoostBloom>.huge_bytes > 0; }

 private:
  std::optional<boost::bloom::filter<uint64_t, kSubarrays, Subfilter, 0, boost::hash<uint64_t>,
                                     CountingAllocator<unsigned char, BoostBloom>>>
      filter_;
};

// Whether this Boost has the bulk operations.
template <typename Filter>
constexpr bool kHasBulk = requires(const Filter& filter, const uint64_t* key) {
  filter.may_contain(key, key, [](const uint64_t&, bool) {});
};

template <typename Subfilter, size_t kSubarrays = 1>
void Add(std::vector<RivalEntry>& rivals, std::string_view single, std::string_view bulk) {
  // Where every key is several reads, 100 million take too long to be of use.
  constexpr bool kFast = kSubarrays == 1;
  rivals.push_back({"Boost.Bloom", single, kFast, Make<BoostBloom<Subfilter, kSubarrays, false>>});
  if constexpr (kHasBulk<boost::bloom::filter<uint64_t, kSubarrays, Subfilter>>) {
    rivals.push_back({"Boost.Bloom", bulk, kFast, Make<BoostBloom<Subfilter, kSubarrays, true>>});
  }
}

}  // namespace

void AddBoost(std::vector<RivalEntry>& rivals) {
  using boost::bloom::fast_multiblock32;
  using boost::bloom::fast_multiblock64;
  Add<fast_multiblock32<8>>(rivals, "fast_multiblock32<8> single", "fast_multiblock32<8> bulk");
  Add<fast_multiblock64<8>>(rivals, "fast_multiblock64<8> single", "fast_multiblock64<8> bulk");
  Add<boost::bloom::block<unsigned char, 1>, 7>(rivals, "classic k=7 single", "classic k=7 bulk");
}

}  // namespace tamis::bench
