// oneTBB's concurrent_unordered_set: exact, and safe for inserts from many threads.

#include <oneapi/tbb/concurrent_unordered_set.h>

#include "bench/rivals/set_rival.h"

namespace tamis::bench {

namespace {
// Its buckets are made on demand: there is nothing to reserve but their number.
template <typename Allocator>
class TbbSet : public oneapi::tbb::concurrent_unordered_set<uint64_t, std::hash<uint64_t>,
                                                            std::equal_to<uint64_t>, Allocator> {
 public:
  void reserve(uint64_t keys) { this->rehash(keys); }
};
}  // namespace

void AddOnetbb(std::vector<RivalEntry>& rivals) {
  rivals.push_back({"tbb::concurrent_unordered_set", "exact", false, Make<SetRival<TbbSet>>});
}

}  // namespace tamis::bench
