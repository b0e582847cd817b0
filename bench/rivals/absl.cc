// absl::flat_hash_set: the exact answer, by a good open-addressing table.

#include <absl/container/flat_hash_set.h>

#include "bench/rivals/set_rival.h"

namespace tamis::bench {

namespace {
template <typename Allocator>
using AbslSet = absl::flat_hash_set<uint64_t, absl::flat_hash_set<uint64_t>::hasher,
                                    absl::flat_hash_set<uint64_t>::key_equal, Allocator>;
}  // namespace

void AddAbsl(std::vector<RivalEntry>& rivals) {
  rivals.push_back({"absl::flat_hash_set", "exact", false, Make<SetRival<AbslSet>>});
}

}  // namespace tamis::bench
