// How an engine treats a backend that works on a device, shown with a device of straw: the scalar
// kernels, counted, with memory that says it is shared. No GPU is needed to know who gets the work.

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "samples.h"
#include "tamis/engine.h"

namespace tamis {
namespace {

int live_storages = 0;

Storage SharedCopy(std::span<const std::byte> bytes) {
  auto* data = static_cast<std::byte*>(operator new (bytes.size(), std::align_val_t{64}));
  std::memcpy(data, bytes.data(), bytes.size());
  ++live_storages;
  return Storage::Shared(data, bytes.size(), [](std::byte* memory) {
    operator delete (memory, std::align_val_t{64});
    --live_storages;
  });
}

class StrawExecutor final : public Executor {
 public:
  StrawExecutor(const Kernels& kernels, int& calls) : serial_(OpenSerial(kernels)), calls_(calls) {}

  void Hash(const Spec& spec, const Keys& keys, uint64_t* hashes) const override {
    serial_->Hash(spec, keys, hashes);
  }
  void Insert(const Batch& batch) override {
    ++calls_;
    serial_->Insert(batch);
  }
  uint64_t InsertNew(const Batch& batch, uint8_t* answers) override {
    ++calls_;
    return serial_->InsertNew(batch, answers);
  }
  uint64_t Contains(const Batch& batch, uint8_t* answers) const override {
    ++calls_;
    return serial_->Contains(batch, answers);
  }
  void Merge(std::byte* into, const std::byte* from, uint64_t bytes) override {
    ++calls_;
    serial_->Merge(into, from, bytes);
  }
  std::optional<Storage> CopyOf(std::span<const std::byte> bits) override {
    return SharedCopy(bits);
  }

 private:
  std::unique_ptr<Executor> serial_;
  int& calls_;
};

// Runs split_block alone.
class StrawDevice final : public Backend {
 public:
  std::string_view name() const override { return "straw"; }
  std::span<const Kernels> kernels() const override { return {}; }
  bool parallel() const override { return false; }
  bool device() const override { return true; }
  std::string Unavailable() const override { return reason; }
  bool Runs(const Spec& spec) const override { return spec.variant == Variant::kSplitBlock; }
  std::unique_ptr<Executor> Open(const Kernels& kernels, int /*threads*/) const override {
    ++opened;
    return std::make_unique<StrawExecutor>(kernels, calls);
  }

  std::string reason;
  mutable int opened = 0;
  mutable int calls = 0;
};

class DeviceEngine : public testing::Test {
 protected:
  DeviceEngine() {
    for (const Backend* backend : Backends()) {
      if (!backend->device()) backends_.push_back(backend);
    }
    backends_.push_back(&device_);
  }
  void TearDown() override { EXPECT_EQ(live_storages, 0); }

  Engine Pinned() const { return Engine({.backend = "straw"}, backends_); }
  Engine Unpinned() const { return Engine({}, backends_); }

  StrawDevice device_;
  std::vector<const Backend*> backends_;
  const std::vector<uint64_t> keys_ = DistinctKeys(100'000, 1);
};

TEST_F(DeviceEngine, APinnedDeviceGetsEveryBatchOfAnySize) {
  Engine engine = Pinned();
  Filter filter(PlanFor(1000, 0.01));
  engine.InsertNew(filter, Keys::U64(keys_).Slice(0, 1));
  engine.Insert(filter, Keys::U64(keys_));
  engine.Contains(filter, Keys::U64(keys_));
  engine.Merge(filter, filter);
  EXPECT_EQ(device_.calls, 4);
  EXPECT_EQ(engine.backend(), "straw");
  EXPECT_EQ(engine.threads(), 1);
}

TEST_F(DeviceEngine, AVariantThatThePinnedDeviceDoesNotRunIsRefusedByName) {
  Engine engine = Pinned();
  Filter filter(PlanFor(1000, 0.01, {.variant = Variant::kSplitBlock512}));
  ExpectNames(RefusalOf<InvalidArgument>([&] { engine.Insert(filter, Keys::U64(keys_)); }),
              {"straw", "split_block_512"});
  EXPECT_EQ(filter.inserted(), 0U);
}

TEST_F(DeviceEngine, PlaceMovesTheBitsAndKeepsThem) {
  Engine engine = Pinned();
  Filter filter(PlanFor(1000, 0.01));
  engine.Insert(filter, Keys::U64(keys_).Slice(0, 1000));
  const std::vector<std::byte> before = BytesOf(filter);
  engine.Place(filter);
  EXPECT_TRUE(filter.storage().shared());
  EXPECT_STREQ(filter.storage().pages(), "shared");
  EXPECT_EQ(BytesOf(filter), before);
  EXPECT_EQ(filter.inserted(), 1000U);
}

TEST_F(DeviceEngine, LayersOfAPlacedGrowingFilterArePlacedToo) {
  Engine engine = Pinned();
  ScalableFilter filter(1000, 0.01);
  engine.Place(filter);
  engine.InsertNew(filter, Keys::U64(keys_).Slice(0, 10'000));
  ASSERT_GT(filter.layers().size(), 1U);
  for (const Filter& layer : filter.layers()) EXPECT_TRUE(layer.storage().shared());
}

TEST_F(DeviceEngine, WithoutAPinTheDeviceWorksOnPlacedFiltersAlone) {
  Engine pinned = Pinned();
  Engine engine = Unpinned();
  Filter placed(PlanFor(100'000, 0.01));
  Filter ordinary(PlanFor(100'000, 0.01));
  pinned.Place(placed);
  engine.Place(ordinary);
  EXPECT_FALSE(ordinary.storage().shared());
  device_.opened = 0;
  const uint64_t fresh = engine.InsertNew(ordinary, Keys::U64(keys_));
  EXPECT_EQ(device_.opened, 0);
  EXPECT_EQ(engine.InsertNew(placed, Keys::U64(keys_)), fresh);
  EXPECT_EQ(engine.Contains(placed, Keys::U64(keys_)), keys_.size());
  EXPECT_EQ(device_.opened, 1);
  EXPECT_EQ(device_.calls, 2);
  engine.Contains(placed, Keys::U64(keys_).Slice(0, 10));  // too few to be worth it
  EXPECT_EQ(device_.calls, 2);
  EXPECT_EQ(BytesOf(placed), BytesOf(ordinary));
}

TEST_F(DeviceEngine, WithoutAPinWhatTheDeviceCannotDoIsDoneHere) {
  Engine engine = Unpinned();
  const Plan plan = PlanFor(100'000, 0.01, {.variant = Variant::kSplitBlock512});
  Filter other(plan, SharedCopy(Filter(plan).bytes()), 0);
  EXPECT_GT(engine.InsertNew(other, Keys::U64(keys_)), 99'000U);
  device_.reason = "it rained";
  const Plan flagship = PlanFor(100'000, 0.01);
  Filter filter(flagship, SharedCopy(Filter(flagship).bytes()), 0);
  EXPECT_GT(engine.InsertNew(filter, Keys::U64(keys_)), 99'000U);
  EXPECT_EQ(device_.opened, 0);
}

TEST_F(DeviceEngine, APinnedDeviceThatIsNotThereSaysWhy) {
  device_.reason = "it rained";
  EXPECT_EQ(RefusalOf<DeviceError>([&] { Pinned(); }), "backend straw: it rained");
}

}  // namespace
}  // namespace tamis
