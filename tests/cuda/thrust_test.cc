// InsertNew as the GPU runs it, from end to end, on the host: the pipelines of cuda/insert_new.cuh
// and classic_new.cuh by Thrust's CPP and TBB systems under a plain C++ compiler, with long runs
// walked and answers packed by lanes that are threads. Held to the sequential model: what the
// scalar backend answers.

#include <gtest/gtest.h>
#include <thrust/sort.h>
#include <thrust/system/cpp/execution_policy.h>
#include <thrust/system/tbb/execution_policy.h>

#include <atomic>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cuda/classic_new.cuh"
#include "cuda/insert_new.cuh"
#include "host_lanes.h"
#include "samples.h"
#include "tamis/engine.h"

namespace tamis::gpu {
namespace {

// What insert_new.cuh calls a System, over a Thrust system of the host.
template <typename Policy>
class HostSystem {
 public:
  Policy policy() const { return {}; }

  void Sort(const Sorted& sorted, uint64_t n, SortBits bits) const {
    const auto less = [bits](uint64_t a, uint64_t b) {
      const int above = 64 - bits.end;
      return (a << above) >> (above + bits.begin) < (b << above) >> (above + bits.begin);
    };
    if (bits.begin == bits.end) return;
    if (sorted.indices == nullptr) {
      thrust::stable_sort(policy(), sorted.words, sorted.words + n, less);
    } else {
      thrust::stable_sort_by_key(policy(), sorted.words, sorted.words + n, sorted.indices, less);
    }
  }

  template <typename V>
  void WalkLongRuns(const WalkLongRun<V>& walk, uint32_t count) {
    long_runs_ += count;
    HostGroup group(8);
    std::vector<uint32_t> table(kTableWords<V>);
    group.Run([&](uint32_t lane) {
      for (uint32_t i = 0; i < count; ++i) {
        group.Meet();  // the next thread block, with a table of its own
        walk(HostBlock(group, lane), table.data(), i);
      }
    });
  }

  uint64_t long_runs() const { return long_runs_; }

 private:
  uint64_t long_runs_ = 0;
};

template <typename P, typename V>
struct Case {
  using Policy = P;
  using Layout = V;
};
using Cpp = thrust::system::cpp::detail::par_t;
using Tbb = thrust::system::tbb::detail::par_t;

struct CaseNames {
  template <typename C>
  static std::string GetName(int /*index*/) {
    const std::string system = std::is_same_v<typename C::Policy, Tbb> ? "Tbb_" : "Cpp_";
    return system + std::string(C::Layout::kName);
  }
};

struct Outcome {
  uint64_t count;
  std::vector<uint8_t> answers;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

template <typename C>
class ThrustPipeline : public testing::Test {
 protected:
  using V = typename C::Layout;

  static Filter NewFilter(uint64_t keys) {
    return Filter(PlanForBitsPerKey(keys, 10, {.variant = static_cast<Variant>(V::kId)}));
  }

  Outcome InsertNew(Filter& filter, const WordKeys& keys, uint32_t n) {
    std::vector<uint8_t> flags(n);
    if constexpr (V::kBlocked) {
      std::vector<uint64_t> places(n);
      std::vector<uint64_t> spare(n);
      std::vector<uint32_t> indices(n);
      std::vector<uint32_t> spare_indices(n);
      const DeviceView<V> view{
          .blocks = reinterpret_cast<typename DeviceView<V>::Block*>(filter.mutable_data()),
          .count = static_cast<uint32_t>(filter.spec().blocks),
          .seed = filter.spec().seed,
          .k = filter.spec().k};
      FindNew(system_, view, keys, n,
              InsertNewScratch{{places.data(), spare.data(), indices.data(), spare_indices.data()},
                               flags.data()});
    } else {
      const size_t most = size_t{n} * static_cast<unsigned>(filter.spec().k);
      std::vector<uint64_t> pairs(most);
      std::vector<uint64_t> spare(most);
      FindNew(system_, ClassicView::Of(filter.spec(), filter.mutable_data()), keys, n,
              ClassicNewScratch{{pairs.data(), spare.data()}, flags.data()});
    }
    std::vector<uint32_t> words((n + 31) / 32);
    std::atomic<uint64_t> count = 0;
    HostGroup group(kWarp);
    group.Run([&](uint32_t lane) {
      for (uint64_t first = 0; first < n; first += kWarp) {
        const uint32_t set = PackTile(HostWarp(group, lane), flags.data(), first, n, words.data());
        if (lane == 0) count += set;
      }
    });
    const auto* bytes = reinterpret_cast<const uint8_t*>(words.data());
    return {count, {bytes, bytes + AnswerBytes(n)}};
  }

  // A batch into one filter here and into one by the scalar backend. Blocked filters take keys, or
  // hashes if `hashed`; a classic one takes hashes.
  void CompareBatch(Filter& mine, Filter& reference, std::span<const uint64_t> keys, bool hashed) {
    const size_t words = V::kBlocked ? 1 : 2;
    std::vector<uint64_t> hashes(keys.size() * words);
    if (hashed) {
      for (size_t i = 0; i < hashes.size(); ++i) hashes[i] = keys[i / words];
    } else {
      scalar_.Hash(mine.spec(), Keys::U64(keys), hashes);
    }
    Outcome expected = {0, std::vector<uint8_t>(AnswerBytes(keys.size()))};
    expected.count = scalar_.InsertNew(reference, Keys::Hashes(hashes, static_cast<int>(words)),
                                       expected.answers);
    const bool as_keys = V::kBlocked && !hashed;
    const WordKeys batch{.items = as_keys ? keys.data() : hashes.data(),
                         .seed = 0,
                         .hashed = !as_keys,
                         .words = static_cast<int>(words)};
    EXPECT_EQ(InsertNew(mine, batch, static_cast<uint32_t>(keys.size())), expected);
    EXPECT_EQ(BytesOf(mine), BytesOf(reference));
  }

  // Two batches into a filter for `size` keys.
  void CompareWithScalar(const std::vector<uint64_t>& keys, uint64_t size, bool hashed = false) {
    Filter mine = NewFilter(size);
    Filter reference = NewFilter(size);
    const size_t cut = keys.size() / 3;
    for (const auto& [first, count] : {std::pair(size_t{0}, cut), {cut, keys.size() - cut}}) {
      if (count != 0) CompareBatch(mine, reference, {keys.data() + first, count}, hashed);
    }
  }

  // Where keys of one block need a path of their own.
  void ExpectLongRuns(uint64_t runs) { EXPECT_EQ(system_.long_runs(), V::kBlocked ? runs : 0); }

  HostSystem<typename C::Policy> system_;
  Engine scalar_{{.backend = "scalar"}};
};

using Cases = testing::Types<Case<Cpp, SplitBlock>, Case<Cpp, SplitBlock512>, Case<Cpp, CacheLine>,
                             Case<Cpp, RegisterBlocked>, Case<Cpp, Classic>, Case<Tbb, SplitBlock>,
                             Case<Tbb, CacheLine>, Case<Tbb, Classic>>;
TYPED_TEST_SUITE(ThrustPipeline, Cases, CaseNames);

TYPED_TEST(ThrustPipeline, RandomBatches) {
  for (const uint64_t n : {1, 2, 63, 64, 65, 5'003}) this->CompareWithScalar(DistinctKeys(n, 1), n);
}

TYPED_TEST(ThrustPipeline, B3_RepeatsInABatch) {
  this->CompareWithScalar(RepeatingKeys(6'000, 1'500, 2), 5'000);
}

TYPED_TEST(ThrustPipeline, B3_RepeatsInABatchLargeEnoughForSeveralThreads) {
  this->CompareWithScalar(RepeatingKeys(60'000, 20'000, 7), 20'000);
}

TYPED_TEST(ThrustPipeline, FiltersThatAreMuchTooSmall) {
  for (const uint64_t size : {1, 30, 60, 200})
    this->CompareWithScalar(DistinctKeys(3'000, 3), size);
}

TYPED_TEST(ThrustPipeline, B5_OneKeyOverAndOverTakesThePathOfLongRuns) {
  this->CompareWithScalar(std::vector<uint64_t>(9'000, 42), 100'000);
  this->ExpectLongRuns(2);
}

TYPED_TEST(ThrustPipeline, B5_OneBlockTakesAll) {
  std::vector<uint64_t> hashes = DistinctKeys(5'000, 4);
  for (uint64_t& hash : hashes) hash = (hash & 0xffffffff) | (uint64_t{0x9abcdef0} << 32);
  this->CompareWithScalar(hashes, 100'000, true);
  this->ExpectLongRuns(2);
}

TYPED_TEST(ThrustPipeline, LongRunsAmongShortOnes) {
  std::vector<uint64_t> keys = RepeatingKeys(6'000, 3'000, 5);
  for (size_t i = 0; i < keys.size(); i += 3) keys[i] = keys[0];
  this->CompareWithScalar(keys, 6'000);
  this->ExpectLongRuns(2);
}

TYPED_TEST(ThrustPipeline, RunsAboutAsLongAsTheLimitBetweenThePaths) {
  for (const uint32_t n : {kLongRun - 1, kLongRun, kLongRun + 1}) {
    Filter mine = TestFixture::NewFilter(1);  // one block
    Filter reference = TestFixture::NewFilter(1);
    this->CompareBatch(mine, reference, DistinctKeys(n, 6), false);
  }
  this->ExpectLongRuns(2);
}

}  // namespace
}  // namespace tamis::gpu
