// std::unordered_set: what is at hand.

#include <unordered_set>

#include "bench/rivals/set_rival.h"

namespace tamis::bench {

namespace {
template <typename Allocator>
using StdSet =
    std::unordered_set<uint64_t, std::hash<uint64_t>, std::equal_to<uint64_t>, Allocator>;
}  // namespace

void AddStd(std::vector<RivalEntry>& rivals) {
  rivals.push_back({"std::unordered_set", "exact", false, Make<SetRival<StdSet>>});
}

}  // namespace tamis::bench
