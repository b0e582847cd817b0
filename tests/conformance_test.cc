// Invariants 1 to 3 on every way that this machine can run tamis: scalar; simd on each target; tbb
// over each, with 1, 3 and 9 threads; a device, if there is one. The same calls give the same bytes
// and the same answers as scalar, and InsertNew answers as a sequential model does.

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <random>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "tamis/engine.h"
#include "tamis/schemes.h"

namespace tamis {
namespace {

struct Way {
  EngineOptions options;
  Variant variant;
};

std::vector<Way> AllWays() {
  std::vector<Way> ways;
  for (const Variant variant : AllVariants()) {
    ways.push_back({{.backend = "scalar"}, variant});
    for (const std::string_view target : TargetNames()) {
      const std::string name(target);
      if (target != "scalar") ways.push_back({{.backend = "simd", .target = name}, variant});
      for (const int threads : {1, 3, 9}) {
        // One thread runs what `simd` runs: once is enough to show that.
        if (threads == 1 && target != "scalar") continue;
        ways.push_back({{.backend = "tbb", .target = name, .threads = threads}, variant});
      }
    }
    for (const Backend* backend : Backends()) {
      if (backend->device() && backend->Unavailable().empty() &&
          backend->Runs({.variant = variant})) {
        ways.push_back({{.backend = std::string(backend->name())}, variant});
      }
    }
  }
  return ways;
}

std::string NameOf(const Way& way) {
  std::string name = way.options.backend;
  if (!way.options.target.empty()) name.append("_").append(way.options.target);
  if (way.options.threads != 0) name.append("_").append(std::to_string(way.options.threads));
  return name.append("_").append(NameOf(way.variant));
}

void PrintTo(const Way& way, std::ostream* out) { *out << NameOf(way); }

std::vector<uint64_t> RandomKeys(size_t n, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<uint64_t> keys(n);
  std::generate(keys.begin(), keys.end(), [&] { return random(); });
  return keys;
}

// n keys drawn from n / 2 values: about half are repeats.
std::vector<uint64_t> RepeatedKeys(size_t n, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<uint64_t> keys(n);
  std::generate(keys.begin(), keys.end(), [&] { return random() % (n / 2 + 1); });
  return keys;
}

// Hashes whose first words all fall into one block of any filter (equal high halves), with low
// halves that differ.
std::vector<uint64_t> OneBlockHashes(size_t n, size_t words) {
  std::vector<uint64_t> hashes = RandomKeys(n * words, 77);
  for (size_t i = 0; i < hashes.size(); i += words) {
    hashes[i] = (hashes[i] & 0xffffffff) | (uint64_t{0x9abcdef0} << 32);
  }
  return hashes;
}

std::vector<bool> Bits(const std::vector<uint8_t>& answers, size_t n) {
  std::vector<bool> bits(n);
  for (size_t i = 0; i < n; ++i) bits[i] = AnswerAt(answers.data(), i);
  return bits;
}

bool SameBytes(const Filter& a, const Filter& b) {
  return std::equal(a.bytes().begin(), a.bytes().end(), b.bytes().begin(), b.bytes().end());
}

class Conformance : public testing::TestWithParam<Way> {
 protected:
  Filter NewFilter(uint64_t keys) const {
    return Filter(PlanForBitsPerKey(keys, 10, {.variant = GetParam().variant}));
  }
  Spec AnySpec() const { return NewFilter(1).spec(); }
  int HashWords() const { return AnySpec().hash_words(); }

  struct Outcome {
    uint64_t count;
    std::vector<bool> bits;
    friend bool operator==(const Outcome&, const Outcome&) = default;
  };

  // One batch of each verb on both engines; all must agree.
  void CompareWithScalar(const Keys& keys, uint64_t size) {
    CompareWithScalar(keys, NewFilter(size).plan());
  }
  void CompareWithScalar(const Keys& keys, const Plan& plan) {
    Filter mine(plan);
    Filter reference(plan);
    EXPECT_EQ(InsertNew(engine_, mine, keys), InsertNew(scalar_, reference, keys));
    EXPECT_TRUE(SameBytes(mine, reference));
    EXPECT_EQ(Contains(engine_, mine, keys), Contains(scalar_, reference, keys));
    EXPECT_EQ(Contains(engine_, mine, keys).count, keys.size()) << "a false negative";
    Filter inserted(plan);
    engine_.Insert(inserted, keys);
    EXPECT_TRUE(SameBytes(inserted, reference));
  }

  static Outcome InsertNew(Engine& engine, Filter& filter, const Keys& keys) {
    std::vector<uint8_t> answers(AnswerBytes(keys.size()) + 1);
    const uint64_t count = engine.InsertNew(filter, keys, answers);
    return {count, Bits(answers, keys.size())};
  }
  static Outcome Contains(const Engine& engine, const Filter& filter, const Keys& keys) {
    std::vector<uint8_t> answers(AnswerBytes(keys.size()) + 1);
    const uint64_t count = engine.Contains(filter, keys, answers);
    return {count, Bits(answers, keys.size())};
  }

  Engine engine_{GetParam().options};
  Engine scalar_{{.backend = "scalar", .target = "scalar"}};
};

TEST_P(Conformance, RunsWhatWasAskedFor) {
  EXPECT_EQ(engine_.backend(), GetParam().options.backend);
  if (!GetParam().options.target.empty()) {
    EXPECT_EQ(engine_.target(), GetParam().options.target);
  }
}

TEST_P(Conformance, B6_BatchesOfEverySize) {
  const std::vector<uint64_t> keys = RepeatedKeys(100'003, 1);
  for (const size_t n :
       {0, 1, 2, 7, 15, 16, 17, 63, 64, 65, 127, 1000, 1023, 1024, 1025, 2111, 100'003}) {
    SCOPED_TRACE(n);
    CompareWithScalar(Keys::U64({keys.data(), n}), n);
  }
}

TEST_P(Conformance, FiltersLargerThanCaches) {
  const std::vector<uint64_t> keys = RepeatedKeys(50'000, 2);
  CompareWithScalar(Keys::U64(keys), 8'000'000);
}

TEST_P(Conformance, TinyFilters) {
  const std::vector<uint64_t> keys = RandomKeys(3'000, 3);
  for (const uint64_t size : {1, 30, 60, 100, 200}) CompareWithScalar(Keys::U64(keys), size);
}

TEST_P(Conformance, EveryKindOfKey) {
  std::mt19937_64 random(4);
  std::string bytes(20'000, '\0');
  std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<char>(random()); });
  for (const uint32_t width :
       {1, 3, 4, 5, 7, 8, 9, 11, 12, 13, 16, 20, 24, 31, 32, 33, 47, 64, 100}) {
    SCOPED_TRACE(width);
    const std::span<const char> whole(bytes.data() + 1, size_t{199} * width);  // at an odd address
    CompareWithScalar(Keys::Fixed(std::as_bytes(whole), width), 199);
  }
  for (const size_t longest : {300, 15}) {  // the short ones are many
    std::vector<uint32_t> offsets = {0};
    std::vector<std::string_view> views;
    while (offsets.back() + longest < bytes.size()) {
      views.emplace_back(bytes.data() + offsets.back(), random() % longest);
      offsets.push_back(offsets.back() + static_cast<uint32_t>(views.back().size()));
    }
    const std::vector<uint64_t> wide(offsets.begin(), offsets.end());
    CompareWithScalar(Keys::Strings(offsets, bytes.data()), views.size());
    CompareWithScalar(Keys::Strings(wide, bytes.data()), views.size());
    CompareWithScalar(Keys::Views(views), views.size());
  }
  const int words = HashWords();
  const std::vector<uint64_t> hashes = RandomKeys(5'000 * static_cast<size_t>(words), 5);
  CompareWithScalar(Keys::Hashes(hashes, words), 5'000);
}

TEST_P(Conformance, HashesAreTheDefinitionsWithTheSpecsSeed) {
  const std::vector<uint64_t> keys = RandomKeys(1'001, 6);
  Spec spec = AnySpec();
  spec.seed = 12345;
  const auto words = static_cast<size_t>(spec.hash_words());
  std::vector<uint64_t> hashes(keys.size() * words);
  engine_.Hash(spec, Keys::U64(keys), hashes);
  for (size_t i = 0; i < keys.size(); ++i) {
    ASSERT_EQ(hashes[i * words], Xxh64(keys[i], spec.seed));
    if (words == 2) {
      ASSERT_EQ(hashes[2 * i + 1], Xxh64(keys[i], Xxh64Hash::SecondSeed(spec.seed)));
    }
  }
}

// Integers and strings by each scheme, in the same filter.
TEST_P(Conformance, EveryHashScheme) {
  const std::vector<uint64_t> keys = RepeatedKeys(5'003, 14);
  const std::string text(4'000, '\xa7');
  std::vector<uint32_t> offsets;
  for (uint32_t at = 0; at < text.size(); at += 1 + at % 37) offsets.push_back(at);
  const Keys strings = Keys::Strings(offsets, text.data());
  HashSchemes::ForEach([&]<class H>(H) {
    SCOPED_TRACE(H::kName);
    PlanOptions options{.variant = GetParam().variant, .hash = static_cast<HashScheme>(H::kId)};
    if (H::kSeeded) options.seed = 77;
    if (H::kKeyed) options.secret = Secret::FromBytes("a secret of ours");
    if (options.variant == Variant::kClassic && H::kWords < 2) return;  // EveryProbeScheme has them
    const Plan plan = PlanForBitsPerKey(5'000, 10, options);
    CompareWithScalar(Keys::U64(keys), plan);
    if (options.hash != HashScheme::kPrehashed) CompareWithScalar(strings, plan);
  });
}

// Positions by other systems' schemes, each with a hash that gives the words it takes.
TEST_P(Conformance, EveryProbeScheme) {
  if (GetParam().variant != Variant::kClassic) return;
  const std::vector<uint64_t> keys = RepeatedKeys(5'003, 16);
  ProbeSchemes::ForEach([&]<class P>(P) {
    SCOPED_TRACE(P::kName);
    HashSchemes::ForEach([&]<class H>(H) {
      if (H::kWords < P::kWords || H::kKeyed) return;
      const Spec spec{.variant = Variant::kClassic,
                      .hash = static_cast<HashScheme>(H::kId),
                      .m = 50'021,
                      .k = 7,
                      .probe = static_cast<ProbeScheme>(P::kId)};
      CompareWithScalar(Keys::U64(keys), {.spec = spec, .capacity = 5'000, .fpr = 0.01});
    });
  });
}

// Every number of bits a key that the variant takes, in a size that is no power of two.
TEST_P(Conformance, EveryK) {
  const std::vector<uint64_t> keys = RepeatedKeys(3'001, 15);
  const auto [least, most] = VisitVariant(
      GetParam().variant, []<typename V>(V) { return std::pair(int{V::kMinK}, int{V::kMaxK}); });
  for (int k = least; k <= most; k = k < 17 ? k + 1 : k + 23) {
    SCOPED_TRACE(k);
    CompareWithScalar(Keys::U64(keys),
                      PlanForBitsPerKey(2'999, 11, {.variant = GetParam().variant, .k = k}));
  }
}

TEST_P(Conformance, InsertNewIsTheSequentialModel) {
  const std::vector<uint64_t> keys = RepeatedKeys(120'000, 7);
  Filter filter = NewFilter(20'000'000);  // so large that no two keys are confused
  std::unordered_set<uint64_t> seen;
  std::vector<bool> model(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) model[i] = seen.insert(keys[i]).second;
  const Outcome outcome = InsertNew(engine_, filter, Keys::U64(keys));
  EXPECT_EQ(outcome.bits, model);
  EXPECT_EQ(outcome.count, seen.size());
  EXPECT_EQ(filter.inserted(), seen.size());
}

TEST_P(Conformance, B5_OneKeyOverAndOver) {
  const std::vector<uint64_t> keys(100'000, 42);
  Filter filter = NewFilter(1'000'000);
  const Outcome outcome = InsertNew(engine_, filter, Keys::U64(keys));
  EXPECT_EQ(outcome.count, 1U);
  EXPECT_TRUE(outcome.bits[0]);
}

TEST_P(Conformance, B5_OneBlockTakesAll) {
  const std::vector<uint64_t> hashes = OneBlockHashes(50'000, static_cast<size_t>(HashWords()));
  CompareWithScalar(Keys::Hashes(hashes, HashWords()), 1'000'000);
}

TEST_P(Conformance, AnyCutOfABatchGivesTheSame) {
  const std::vector<uint64_t> keys = RepeatedKeys(60'000, 8);
  Filter whole = NewFilter(60'000);
  const Outcome at_once = InsertNew(engine_, whole, Keys::U64(keys));
  std::mt19937_64 random(9);
  Filter pieces = NewFilter(60'000);
  std::vector<bool> bits;
  for (size_t first = 0; first < keys.size();) {
    const size_t count = std::min<size_t>(keys.size() - first, random() % 7'000);
    const Outcome piece = InsertNew(engine_, pieces, Keys::U64(keys).Slice(first, count));
    bits.insert(bits.end(), piece.bits.begin(), piece.bits.end());
    first += count;
  }
  EXPECT_EQ(bits, at_once.bits);
  EXPECT_TRUE(SameBytes(pieces, whole));
}

TEST_P(Conformance, B6_NeighbouringAnswerBitsStayAsTheyWere) {
  const std::vector<uint64_t> keys = RandomKeys(1'500, 10);
  for (const size_t n : {1, 7, 8, 63, 64, 65, 1'023, 1'499}) {
    for (const uint8_t before : {uint8_t{0}, uint8_t{0xff}}) {
      Filter filter = NewFilter(n);
      std::vector<uint8_t> answers(AnswerBytes(n) + 17, before);
      const std::span<uint8_t> odd(answers.data() + 3, AnswerBytes(n));
      engine_.InsertNew(filter, Keys::U64({keys.data(), n}), odd);
      engine_.Contains(filter, Keys::U64({keys.data(), n}), odd);
      for (size_t i = 0; i < 8 * answers.size(); ++i) {
        const bool written = i >= 24 && i < 24 + n;
        ASSERT_EQ(AnswerAt(answers.data(), i), written || before != 0) << n << " keys, bit " << i;
      }
    }
  }
}

TEST_P(Conformance, AnswersAreOptional) {
  const std::vector<uint64_t> keys = RepeatedKeys(70'000, 11);
  Filter with = NewFilter(70'000);
  Filter without = NewFilter(70'000);
  const uint64_t fresh = InsertNew(engine_, with, Keys::U64(keys)).count;
  EXPECT_EQ(engine_.InsertNew(without, Keys::U64(keys)), fresh);
  EXPECT_EQ(engine_.Contains(without, Keys::U64(keys)), keys.size());
  EXPECT_TRUE(SameBytes(with, without));
}

TEST_P(Conformance, MergeIsInsertingBoth) {
  const std::vector<uint64_t> keys = RandomKeys(400'000, 12);
  const Keys all = Keys::U64(keys);
  Filter both = NewFilter(400'000);
  Filter first = NewFilter(400'000);
  Filter second = NewFilter(400'000);
  scalar_.Insert(both, all);
  engine_.Insert(first, all.Slice(0, 150'000));
  engine_.Insert(second, all.Slice(150'000, 250'000));
  engine_.Merge(first, second);
  EXPECT_TRUE(SameBytes(first, both));
  EXPECT_EQ(first.inserted(), 400'000U);
}

TEST_P(Conformance, LargeBatchesTakenInChunks) {
  if (GetParam().options.threads != 2) return;  // one thread takes no chunks, five the same
  const std::vector<uint64_t> keys = RepeatedKeys(1'100'001, 13);
  CompareWithScalar(Keys::U64(keys), 1'000'000);
}

INSTANTIATE_TEST_SUITE_P(Everywhere, Conformance, testing::ValuesIn(AllWays()),
                         [](const auto& way) { return NameOf(way.param); });

}  // namespace
}  // namespace tamis
