// What an engine is asked for and what it refuses: options and environment, answers that do not
// fit, filters that are read-only, merges of filters that differ.

#include "tamis/engine.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "samples.h"
#include "tamis/machine.h"

namespace tamis {
namespace {

// An environment variable for the length of a test; null leaves it unset.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name); before != nullptr) before_ = before;
    Set(value);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { Set(before_ ? before_->c_str() : nullptr); }

 private:
  void Set(const char* value) { value != nullptr ? setenv(name_, value, 1) : unsetenv(name_); }
  const char* name_;
  std::optional<std::string> before_;
};

class Options : public testing::Test {
 protected:
  static std::vector<std::string> BackendNames() {
    std::vector<std::string> names;
    for (const Backend* backend : Backends()) names.emplace_back(backend->name());
    return names;
  }
  static std::vector<const Backend*> Available() {
    std::vector<const Backend*> available;
    for (const Backend* backend : Backends()) {
      if (backend->Unavailable().empty()) available.push_back(backend);
    }
    return available;
  }

 private:
  Variable backend_{"TAMIS_BACKEND", nullptr};
  Variable target_{"TAMIS_TARGET", nullptr};
  Variable threads_{"TAMIS_THREADS", nullptr};
};

TEST_F(Options, EveryBackendCanBePinnedByOptionAndByEnvironment) {
  for (const Backend* backend : Available()) {
    const std::string name(backend->name());
    EXPECT_EQ(Engine({.backend = name}).backend(), name);
    const Variable pinned("TAMIS_BACKEND", name.c_str());
    EXPECT_EQ(Engine().backend(), name);
  }
}

TEST_F(Options, ABackendThatCannotRunHereSaysWhyAndIsNeverChosen) {
  for (const Backend* backend : Backends()) {
    const std::string reason = backend->Unavailable();
    EXPECT_EQ(reason.find('\n'), std::string::npos);
    if (reason.empty()) continue;
    const std::string name(backend->name());
    EXPECT_EQ(RefusalOf<DeviceError>([&] { Engine({.backend = name}); }),
              std::string("backend ").append(name).append(": ").append(reason));
    EXPECT_NE(Engine().backend(), name);
  }
}

TEST_F(Options, EveryTargetCanBePinnedByOptionAndByEnvironment) {
  ASSERT_FALSE(TargetNames().empty());
  for (const std::string_view name : TargetNames()) {
    EXPECT_EQ(Engine({.target = std::string(name)}).target(), name);
    const Variable pinned("TAMIS_TARGET", std::string(name).c_str());
    EXPECT_EQ(Engine().target(), name);
  }
  EXPECT_EQ(Engine().target(), TargetNames().front());
}

TEST_F(Options, ThreadsComeFromTheOptionThenTheEnvironmentThenTheMachine) {
  const bool parallel = std::ranges::any_of(Backends(), &Backend::parallel);
  const Variable three("TAMIS_THREADS", "3");
  EXPECT_EQ(Engine({.threads = 2}).threads(), parallel ? 2 : 1);
  EXPECT_EQ(Engine().threads(), parallel ? 3 : 1);
  const Variable unset("TAMIS_THREADS", "");
  EXPECT_EQ(Engine().threads(), parallel ? ThisMachine().threads : 1);
  EXPECT_EQ(Engine({.threads = 1}).threads(), 1);
}

TEST_F(Options, OneThreadOrASerialBackendMeansOneThread) {
  for (const Backend* backend : Available()) {
    if (backend->parallel()) continue;
    EXPECT_EQ(Engine({.backend = std::string(backend->name()), .threads = 4}).threads(), 1);
  }
}

TEST_F(Options, OptionsWinOverTheEnvironmentAndEmptyMeansUnset) {
  const Variable nonsense("TAMIS_BACKEND", "nonsense");
  EXPECT_EQ(Engine({.backend = "scalar"}).backend(), "scalar");
  const Variable empty("TAMIS_BACKEND", "");
  EXPECT_NO_THROW(Engine());
}

TEST_F(Options, UnknownBackendsAreRefusedWithTheValidOnes) {
  ExpectNames(RefusalOf<InvalidArgument>([] { Engine({.backend = "gpu"}); }),
              {"unknown backend 'gpu'", "valid are"});
  const Variable variable("TAMIS_BACKEND", "Scalar");
  const std::string message = RefusalOf<InvalidArgument>([] { Engine(); });
  ExpectNames(message, {"unknown TAMIS_BACKEND 'Scalar'"});
  ExpectNames(message, BackendNames());
}

TEST_F(Options, UnknownTargetsAreRefusedWithTheValidOnes) {
  ExpectNames(RefusalOf<InvalidArgument>([] { Engine({.target = "MMX"}); }),
              {"unknown target 'MMX'", "valid are"});
  const Variable variable("TAMIS_TARGET", "MMX");
  const std::string message = RefusalOf<InvalidArgument>([] { Engine(); });
  ExpectNames(message, {"unknown TAMIS_TARGET 'MMX'"});
  for (const std::string_view name : TargetNames()) ExpectNames(message, {std::string(name)});
}

TEST_F(Options, TheScalarBackendRunsNoOtherTarget) {
  EXPECT_EQ(Engine({.backend = "scalar"}).target(), "scalar");
  for (const std::string_view name : TargetNames()) {
    if (name == "scalar") continue;
    const EngineOptions options{.backend = "scalar", .target = std::string(name)};
    ExpectNames(RefusalOf<InvalidArgument>([&] { Engine{options}; }),
                {std::string(name), "valid are scalar"});
  }
}

TEST_F(Options, ThreadCountsOutOfRangeAreRefusedWithTheRange) {
  for (const int threads : {-1, Engine::kMaxThreads + 1, INT32_MIN}) {
    ExpectNames(RefusalOf<InvalidArgument>([&] { Engine({.threads = threads}); }),
                {"thread count '" + std::to_string(threads) + "'", "1 to 1024"});
  }
  for (const char* text : {"0", "-1", "1025", "two", "2x", " 2", "1e3", "99999999999999999999"}) {
    const Variable variable("TAMIS_THREADS", text);
    ExpectNames(RefusalOf<InvalidArgument>([] { Engine(); }),
                {std::string("TAMIS_THREADS '") + text + "'", "1 to 1024"});
  }
}

TEST_F(Options, AnEngineWithoutKernelsIsRefused) {
  ExpectNames(RefusalOf<InvalidArgument>([] { Engine({}, {}); }), {"no backend"});
}

TEST_F(Options, EnginesMove) {
  Filter filter(PlanFor(100, 0.01));
  Engine first;
  Engine second = std::move(first);
  EXPECT_TRUE(second.InsertOne(filter, 7));
  first = std::move(second);
  EXPECT_TRUE(first.ContainsOne(filter, 7));
}

TEST(Answers, TooFewBytesAreRefusedAndTheFilterIsUntouched) {
  Filter filter(PlanFor(1000, 0.01));
  const std::vector<uint64_t> keys = DistinctKeys(65, 1);
  std::vector<uint8_t> answers(8);
  Engine engine;
  const std::vector<std::string> parts = {"8 bytes", "65 keys need 9"};
  ExpectNames(
      RefusalOf<InvalidArgument>([&] { engine.InsertNew(filter, Keys::U64(keys), answers); }),
      parts);
  ExpectNames(
      RefusalOf<InvalidArgument>([&] { engine.Contains(filter, Keys::U64(keys), answers); }),
      parts);
  EXPECT_EQ(filter.inserted(), 0U);
  EXPECT_EQ(filter.Fill(), 0);
}

TEST(Answers, AreOptional) {
  Filter filter(PlanFor(1000, 1e-6));
  const std::vector<uint64_t> keys = DistinctKeys(65, 1);
  Engine engine;
  EXPECT_EQ(engine.InsertNew(filter, Keys::U64(keys)), 65U);
  EXPECT_EQ(engine.Contains(filter, Keys::U64(keys)), 65U);
}

// The filter's bytes, mapped read-only from a temporary file.
Storage MappedCopy(const Filter& filter) {
  std::FILE* file = std::tmpfile();
  std::fwrite(filter.bytes().data(), 1, filter.bytes().size(), file);
  std::fflush(file);
  Storage storage = Storage::MapFile(fileno(file), 0, filter.bytes().size(), "copy");
  std::fclose(file);
  return storage;
}

TEST(ReadOnly, MappedFiltersAnswerAndRefuseToChange) {
  Engine engine;
  const std::vector<uint64_t> keys = DistinctKeys(1000, 1);
  Filter filter(PlanFor(1000, 0.01));
  engine.Insert(filter, Keys::U64(keys));
  Filter mapped(filter.plan(), MappedCopy(filter), filter.inserted());
  EXPECT_STREQ(mapped.storage().pages(), "file");
  EXPECT_EQ(engine.Contains(mapped, Keys::U64(keys)), 1000U);
  EXPECT_EQ(mapped.ObservedFpr(), filter.ObservedFpr());

  const auto expect_refused = [](auto&& call) {
    ExpectNames(RefusalOf<InvalidArgument>(call), {"read-only"});
  };
  expect_refused([&] { engine.Insert(mapped, Keys::U64(keys)); });
  expect_refused([&] { engine.InsertNew(mapped, Keys::U64(keys)); });
  expect_refused([&] { engine.InsertOne(mapped, 1); });
  expect_refused([&] { engine.InsertOne(mapped, "one"); });
  expect_refused([&] { engine.Merge(mapped, filter); });
  expect_refused([&] { mapped.Clear(); });
  EXPECT_EQ(mapped.inserted(), 1000U);
  EXPECT_NO_THROW(engine.Merge(filter, mapped));
}

TEST(ReadOnly, MappedGrowingFiltersDoNotGrowEvenWhenTheirLayerIsFull) {
  Engine engine;
  const std::vector<uint64_t> keys = DistinctKeys(100, 1);
  for (const uint64_t inserted : {50U, 100U}) {
    Filter layer(ScalableFilter(100, 0.01).PlanOfLayer(0));
    engine.Insert(layer, Keys::U64(keys).Slice(0, inserted));
    std::vector<Filter> layers;
    layers.emplace_back(layer.plan(), MappedCopy(layer), inserted);
    ScalableFilter mapped(100, 0.01, {}, std::move(layers));
    EXPECT_EQ(engine.Contains(mapped, Keys::U64(keys).Slice(0, inserted)), inserted);
    ExpectNames(RefusalOf<InvalidArgument>(
                    [&] { engine.InsertNew(mapped, Keys::U64(DistinctKeys(10, 2))); }),
                {"read-only"});
    EXPECT_EQ(mapped.layers().size(), 1U);
  }
}

TEST(ReadOnly, StorageMustHaveTheBytesOfTheSpec) {
  const Plan plan = PlanForBytes(4096);
  ExpectNames(RefusalOf<InvalidArgument>([&] { Filter(plan, Storage::Zeroed(4095), 0); }),
              {"4095 bytes", "4096"});
}

TEST(Storage, IsZeroedAlignedAndMovesWithItsBytes) {
  for (const uint64_t bytes : {uint64_t{32}, uint64_t{4097}, uint64_t{5} << 20}) {
    Storage storage = Storage::Zeroed(bytes);
    EXPECT_EQ(storage.size(), bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(storage.data()) % 64, 0U);
    for (uint64_t i = 0; i < bytes; i += 31) ASSERT_EQ(storage.data()[i], std::byte{0});
    storage.data()[bytes - 1] = std::byte{1};
    Storage moved = std::move(storage);
    EXPECT_EQ(moved.data()[bytes - 1], std::byte{1});
    Storage other = Storage::Zeroed(64);
    other = std::move(moved);
    EXPECT_EQ(other.size(), bytes);
    EXPECT_EQ(other.data()[bytes - 1], std::byte{1});
  }
  EXPECT_STREQ(Storage::Zeroed(uint64_t{5} << 20, HugePages::kNever).pages(), "4k");
}

TEST(Merge, HoldsWhatBothHeld) {
  Engine engine;
  const std::vector<uint64_t> keys = DistinctKeys(10'000, 1);
  const Keys all = Keys::U64(keys);
  for (const Variant variant : AllVariants()) {
    const Plan plan = PlanFor(10'000, 0.01, {.variant = variant});
    Filter left(plan);
    Filter right(plan);
    Filter whole(plan);
    engine.Insert(left, all.Slice(0, 6000));
    engine.Insert(right, all.Slice(4000, 6000));
    engine.Insert(whole, all);
    engine.Merge(left, right);
    EXPECT_EQ(BytesOf(left), BytesOf(whole));
    EXPECT_EQ(left.inserted(), 12'000U);
    EXPECT_EQ(engine.Contains(left, all), 10'000U);
    engine.Merge(left, left);
    EXPECT_EQ(BytesOf(left), BytesOf(whole));
  }
}

TEST(Merge, F12_FiltersOfOtherSizesAreRefusedAndBothNamed) {
  Engine engine;
  Filter small(PlanFor(16'000'000, 0.01));
  Filter large(PlanFor(160'000'000, 0.01));
  const auto size_of = [](const Filter& filter) {
    return std::to_string(filter.spec().bytes()) + " bytes";
  };
  ExpectNames(RefusalOf<SpecMismatch>([&] { engine.Merge(small, large); }),
              {"merge", size_of(small), size_of(large)});
  Spec longer = small.spec();
  ++longer.blocks;
  Filter other(Plan{.spec = longer});
  ExpectNames(RefusalOf<SpecMismatch>([&] { engine.Merge(small, other); }),
              {size_of(small), size_of(other)});
  // Planned for one key more, of the same size all the same: the bits mean the same, and merge.
  Filter equal(PlanFor(16'000'001, 0.01));
  ASSERT_EQ(equal.spec(), small.spec());
  EXPECT_NO_THROW(engine.Merge(small, equal));
}

TEST(Merge, FiltersOfOtherVariantsOrSeedsAreRefusedAndBothNamed) {
  Engine engine;
  Filter plain(PlanForBytes(4096));
  Filter wide(PlanForBytes(4096, {.variant = Variant::kSplitBlock512}));
  Filter seeded(PlanForBytes(4096, {.seed = 99}));
  ExpectNames(RefusalOf<SpecMismatch>([&] { engine.Merge(plain, wide); }),
              {"[split_block,", "[split_block_512,"});
  ExpectNames(RefusalOf<SpecMismatch>([&] { engine.Merge(plain, seeded); }), {"seed 0", "seed 99"});
}

TEST(Counts, InsertedStopsAtTheLargestNumber) {
  Filter filter(PlanFor(10, 0.01));
  filter.AddInserted(UINT64_MAX - 1);
  filter.AddInserted(5);
  EXPECT_EQ(filter.inserted(), UINT64_MAX);
  EXPECT_EQ(filter.ExpectedFpr(), 1);
}

}  // namespace
}  // namespace tamis
