// libbloom: a classic Bloom filter in C, k bits anywhere, MurmurHash2.

#include <bloom.h>

#include <algorithm>
#include <cmath>

#include "bench/rivals/rival.h"
#include "tamis/error.h"

namespace tamis::bench {

namespace {

class LibBloom final : public Rival {
 public:
  ~LibBloom() override { Free(); }

  void Reset(uint64_t keys, double bits_per_key) override {
    Free();
    // It takes the rate; this one gives the bits: p = exp(-bits (ln 2)^2).
    const double rate = std::exp(-bits_per_key * std::log(2) * std::log(2));
    // It refuses less than 1000 keys.
    const uint64_t entries = std::max<uint64_t>(1000, keys);
    if (entries > INT32_MAX || bloom_init(&bloom_, static_cast<int>(entries), rate) != 0) {
      throw InvalidArgument("libbloom refuses " + std::to_string(keys) + " keys");
    }
    made_ = true;
    std::fill_n(bloom_.bf, bloom_.bytes, static_cast<unsigned char>(1));  // touched
    bloom_reset(&bloom_);
  }
  void Insert(std::span<const uint64_t> keys) override {
    for (const uint64_t key : keys) bloom_add(&bloom_, &key, sizeof key);
  }
  uint64_t Contains(std::span<const uint64_t> keys) override {
    uint64_t present = 0;
    for (const uint64_t key : keys) {
      present += static_cast<uint64_t>(bloom_check(&bloom_, &key, sizeof key));
    }
    return present;
  }
  uint64_t bytes() const override { return static_cast<uint64_t>(bloom_.bytes); }

 private:
  void Free() {
    if (made_) bloom_free(&bloom_);
    made_ = false;
  }

  struct bloom bloom_ = {};
  bool made_ = false;
};

}  // namespace

void AddLibbloom(std::vector<RivalEntry>& rivals) {
  rivals.push_back({"libbloom", "classic", false, Make<LibBloom>});
}

}  // namespace tamis::bench
