#include "bench/grid.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <tuple>

#include "bench/key_set.h"
#include "tamis/engine.h"

namespace tamis::bench {

namespace {

using Numbers = std::vector<uint64_t>;
using Names = std::vector<std::string>;

constexpr uint64_t kMillion = 1'000'000;

// Everything that combines these. What is left out has one value, that of most rows.
struct Cross {
  Names ops;
  Numbers filter_keys;
  std::vector<double> bits_per_key = {10};
  std::vector<double> hit_shares = {0};
  Names key_kinds = {"u64"};
  Numbers batches = {0};  // 0: as suits the filter
  Names variants = {"split_block"};
  Names targets = {""};
  Names pages = {"huge"};
  std::vector<int> threads = {1};
};

// Keys of a call, where the row does not say: small filters are asked for keys that were just made,
// 2 MB of them; large ones for so many that a block is out of cache when its turn comes again.
uint64_t BatchFor(const WorkRow& row) {
  if (KeyBytes(row.key_kind) > 8) return uint64_t{1} << 18;
  if (row.filter_keys < 4 * kMillion) return uint64_t{1} << 18;
  return row.op == "insert_new" ? uint64_t{1} << 24 : uint64_t{1} << 22;
}

// Filters below one huge page have only one kind of pages.
constexpr double kSmallestHuge = 2 << 20;
double FilterBytes(const WorkRow& row) {
  return static_cast<double>(row.filter_keys) * row.bits_per_key / 8;
}

auto FilterOf(const WorkRow& row) {
  return std::tie(row.filter_keys, row.key_kind, row.variant, row.bits_per_key, row.pages);
}

auto Description(const WorkRow& row) {
  return std::tuple_cat(FilterOf(row),
                        std::tie(row.op, row.target, row.threads, row.hit_share, row.batch));
}

class Grid {
 public:
  void Add(const Cross& cross) {
    for (const std::string& variant : cross.variants)
      for (const std::string& kind : cross.key_kinds)
        for (const uint64_t keys : cross.filter_keys)
          for (const double bits : cross.bits_per_key)
            for (const std::string& pages : cross.pages)
              for (const std::string& op : cross.ops)
                for (const std::string& target : cross.targets)
                  for (const int threads : cross.threads)
                    for (const double hits : cross.hit_shares)
                      for (const uint64_t batch : cross.batches) {
                        Add({.system = "tamis",
                             .backend = "",
                             .target = target,
                             .threads = threads,
                             .op = op,
                             .variant = variant,
                             .key_kind = kind,
                             .filter_keys = keys,
                             .bits_per_key = bits,
                             .hit_share = hits,
                             .batch = batch,
                             .pages = pages});
                      }
  }

  // Rows of one filter come together, since filling it takes longest.
  std::vector<WorkRow> Take() {
    std::ranges::stable_sort(
        rows_, [](const WorkRow& a, const WorkRow& b) { return FilterOf(a) < FilterOf(b); });
    return std::move(rows_);
  }

 private:
  void Add(WorkRow row) {
    if (row.op == "insert" || row.op == "merge" || row.op == "hash") row.hit_share = 0;
    if (FilterBytes(row) < kSmallestHuge) row.pages = "huge";  // it gets what it gets
    if (row.batch == 0 || row.op == "merge" || row.op == "hash") row.batch = BatchFor(row);
    const bool first = std::ranges::none_of(
        rows_, [&](const WorkRow& other) { return Description(other) == Description(row); });
    if (first) rows_.push_back(std::move(row));
  }

  std::vector<WorkRow> rows_;
};

// The targets that get a line of their own: all, or the best and those of other generations.
Names Targets(Extent extent) {
  Names targets;
  for (const std::string_view name : TargetNames()) {
    constexpr std::string_view kGenerations[] = {"AVX2", "SSE4", "NEON", "scalar"};
    if (extent == Extent::kFull || targets.empty() ||
        std::ranges::find(kGenerations, name) != std::end(kGenerations)) {
      targets.emplace_back(name);
    }
  }
  return targets;
}

// 1, 2, 4, ... and `most` itself.
std::vector<int> ThreadCounts(int most) {
  std::vector<int> counts;
  for (int count = 1; count < most; count *= 2) counts.push_back(count);
  counts.push_back(most);
  return counts;
}

Names AllKinds() { return {std::begin(kKeyKinds), std::end(kKeyKinds)}; }

// Filters of other systems, which are classic ones by their own hash and probe schemes, and tamis's
// own beside them.
Names AllClassic() {
  return {"classic", "dcso",    "spark-v1", "spark-v2",
          "guava-0", "guava-1", "redis",    "bits-and-blooms"};
}

// Each layout at what it takes for a rate of 1 %, 0.1 % and 0.01 %, in cache and in memory: which
// one to use when.
void AddLayouts(Grid& grid, const std::string& best) {
  for (const Variant variant : AllVariants()) {
    Cross cross{.ops = {"contains", "insert_new"},
                .filter_keys = {kMillion / 2, 100 * kMillion},
                .bits_per_key = {},
                .variants = {std::string(NameOf(variant))},
                .targets = {best}};
    for (const double fpr : {0.01, 0.001, 0.0001}) {
      cross.bits_per_key.push_back(std::ceil(100 * BitsPerKeyFor(variant, fpr)) / 100);
    }
    grid.Add(cross);
    cross.ops = {"contains"};
    cross.hit_shares = {1};
    grid.Add(cross);
  }
}

void AddQuick(Grid& grid, int threads) {
  const std::string best(TargetNames().front());
  const Numbers sizes = {26'000, 200'000, kMillion, 10 * kMillion, 100 * kMillion};
  const Numbers two = {kMillion, 100 * kMillion};
  grid.Add(
      {.ops = {"contains", "insert"}, .filter_keys = sizes, .targets = Targets(Extent::kQuick)});
  grid.Add({.ops = {"contains", "insert"},
            .filter_keys = {100 * kMillion},
            .targets = {best},
            .pages = {"4k"}});
  grid.Add({.ops = {"contains", "insert"},
            .filter_keys = two,
            .variants = {"split_block_512"},
            .targets = {best}});
  grid.Add({.ops = {"contains"},
            .filter_keys = {kMillion},
            .bits_per_key = {8, 10, 16, 20},
            .variants = {"split_block", "split_block_512"},
            .targets = {best}});
  grid.Add({.ops = {"contains"}, .filter_keys = two, .hit_shares = {0, 0.5, 1}, .targets = {best}});
  grid.Add({.ops = {"hash", "contains"},
            .filter_keys = {kMillion},
            .key_kinds = AllKinds(),
            .targets = {best}});
  grid.Add({.ops = {"contains"},
            .filter_keys = {kMillion},
            .batches = {1, 16, 256, 4096, 1 << 16},
            .targets = {best}});
  grid.Add(
      {.ops = {"contains"},
       .filter_keys = {kMillion},
       .hit_shares = {0, 1},
       .variants = {"cache_line", "register_blocked", "classic", "guava-1", "spark-v1", "dcso"},
       .targets = {best}});
  grid.Add({.ops = {"insert_new", "merge"}, .filter_keys = sizes, .targets = {best}});
  grid.Add({.ops = {"contains", "insert", "insert_new"},
            .filter_keys = {100 * kMillion},
            .targets = {best},
            .threads = ThreadCounts(threads)});
}

void AddFull(Grid& grid, int threads) {
  const std::string best(TargetNames().front());
  const Numbers sizes = {26'000,        200'000,       kMillion,       3 * kMillion,
                         10 * kMillion, 30 * kMillion, 100 * kMillion, 1000 * kMillion};
  const Names variants = {"split_block", "split_block_512"};
  const Names pages = {"huge", "4k"};
  const std::vector<double> bits = {8, 10, 16, 20};
  const std::vector<double> hits = {0, 0.5, 1};
  AddQuick(grid, threads);
  AddLayouts(grid, best);
  grid.Add({.ops = {"contains"},
            .filter_keys = {kMillion, 100 * kMillion},
            .hit_shares = {0, 1},
            .variants = AllClassic(),
            .targets = {best}});
  grid.Add({.ops = {"contains", "insert", "insert_new"},
            .filter_keys = sizes,
            .variants = variants,
            .targets = Targets(Extent::kFull),
            .pages = pages});
  grid.Add({.ops = {"contains", "insert"},
            .filter_keys = sizes,
            .bits_per_key = bits,
            .variants = variants,
            .targets = {best}});
  grid.Add({.ops = {"contains", "insert_new"},
            .filter_keys = sizes,
            .hit_shares = hits,
            .targets = {best},
            .pages = pages});
  grid.Add({.ops = {"hash", "contains", "insert", "insert_new"},
            .filter_keys = {26'000, kMillion, 10 * kMillion},
            .hit_shares = {0, 0.5},
            .key_kinds = AllKinds(),
            .targets = Targets(Extent::kFull)});
  grid.Add({.ops = {"contains", "insert"},
            .filter_keys = {26'000, kMillion, 100 * kMillion},
            .batches = {1, 16, 64, 256, 1024, 4096, 1 << 14, 1 << 16, 1 << 20, 1 << 24},
            .targets = {best}});
  grid.Add({.ops = {"contains", "insert", "insert_new", "merge"},
            .filter_keys = sizes,
            .targets = {best},
            .pages = pages,
            .threads = ThreadCounts(threads)});
}

}  // namespace

Effort EffortOf(Extent extent) {
  switch (extent) {
    case Extent::kMoment:
      return {.repetitions = 2, .keys = 1 << 12, .rival_keys = 1000, .foreign_keys = 1 << 14};
    case Extent::kQuick:
      return {.repetitions = 5, .keys = 1 << 22, .rival_keys = kMillion, .foreign_keys = 1 << 20};
    case Extent::kFull:
      break;
  }
  return {.repetitions = 15, .keys = 1 << 22, .rival_keys = 10 * kMillion, .foreign_keys = 1 << 24};
}

std::vector<uint64_t> LimitBytes(Extent extent) {
  if (extent == Extent::kMoment) return {1 << 15};
  Numbers bytes = {1 << 15, 250'000, 1'250'000, 12'500'000, 125'000'000};
  if (extent == Extent::kFull) {
    bytes.insert(bytes.end(), {3'750'000, 37'500'000, 1'250'000'000});
    std::ranges::sort(bytes);
  }
  return bytes;
}

std::vector<WorkRow> TamisGrid(Extent extent, int threads) {
  Grid grid;
  if (extent == Extent::kMoment) {
    grid.Add({.ops = {"contains", "insert", "insert_new", "merge", "hash"},
              .filter_keys = {1000, 20'000},
              .hit_shares = {0.5},
              .key_kinds = {"u64", "strings20"},
              .batches = {1, 1000}});
    grid.Add({.ops = {"contains", "insert_new", "hash"},
              .filter_keys = {20'000},
              .variants = {"cache_line", "classic", "guava-1"}});
    grid.Add({.ops = {"contains"},
              .filter_keys = {20'000},
              .batches = {1 << 16},
              .pages = {"4k"},
              .threads = {threads}});
  } else if (extent == Extent::kQuick) {
    AddQuick(grid, threads);
  } else {
    AddFull(grid, threads);
  }
  return grid.Take();
}

std::vector<WorkRow> RivalGrid(Extent extent) {
  Grid grid;
  if (extent == Extent::kMoment) {
    grid.Add({.ops = {"insert", "contains"}, .filter_keys = {1000}});
  } else if (extent == Extent::kQuick) {
    grid.Add({.ops = {"insert", "contains"}, .filter_keys = {kMillion, 100 * kMillion}});
    grid.Add({.ops = {"contains"}, .filter_keys = {kMillion}, .batches = {16}});
  } else {
    grid.Add({.ops = {"insert", "contains"},
              .filter_keys = {26'000, 200'000, kMillion, 10 * kMillion, 100 * kMillion},
              .hit_shares = {0, 0.5, 1}});
    grid.Add(
        {.ops = {"contains"}, .filter_keys = {26'000, kMillion}, .batches = {1, 16, 256, 4096}});
  }
  return grid.Take();
}

}  // namespace tamis::bench
