// Growing filters against a plain model: one key after the other, each asked of every layer and put
// into the last. Batches must leave the same layers with the same bytes, and give the same answers,
// wherever they are cut.

#include "tamis/scalable.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "samples.h"
#include "tamis/engine.h"

namespace tamis {
namespace {

// The definition, from core/tamis/scalable.h's first lines.
class Model {
 public:
  Model(uint64_t first_capacity, double fpr, const PlanOptions& options)
      : capacity_(first_capacity), fpr_(fpr), options_(options) {
    Grow();
  }

  bool InsertNew(uint64_t key) {
    for (const Filter& layer : layers_) {
      if (engine_.ContainsOne(layer, key)) return false;
    }
    if (layers_.back().inserted() == layers_.back().plan().capacity) Grow();
    return engine_.InsertOne(layers_.back(), key);
  }

  const std::vector<Filter>& layers() const { return layers_; }

 private:
  void Grow() {
    layers_.emplace_back(ScalableFilter(capacity_, fpr_, options_).PlanOfLayer(layers_.size()));
  }

  uint64_t capacity_;
  double fpr_;
  PlanOptions options_;
  Engine engine_;
  std::vector<Filter> layers_;
};

void ExpectSameLayers(const std::vector<Filter>& got, const std::vector<Filter>& right) {
  ASSERT_EQ(got.size(), right.size());
  for (size_t i = 0; i < right.size(); ++i) {
    EXPECT_EQ(got[i].plan(), right[i].plan()) << "layer " << i;
    EXPECT_EQ(got[i].inserted(), right[i].inserted()) << "layer " << i;
    EXPECT_TRUE(BytesOf(got[i]) == BytesOf(right[i])) << "layer " << i;
  }
}

// Puts the keys in by batches of `cut`, and checks answers, counts and layers against the model.
void ExpectModelAgrees(const std::vector<uint64_t>& keys, uint64_t cut, uint64_t first_capacity,
                       double fpr, const PlanOptions& options = {}) {
  SCOPED_TRACE("batches of " + std::to_string(cut));
  Model model(first_capacity, fpr, options);
  ScalableFilter filter(first_capacity, fpr, options);
  Engine engine;
  std::vector<uint8_t> answers;
  for (uint64_t first = 0; first < keys.size(); first += cut) {
    const Keys batch = Keys::U64(keys).Slice(first, std::min(cut, keys.size() - first));
    answers.assign(AnswerBytes(batch.size()) + 1, 0xa5);
    const uint64_t fresh = engine.InsertNew(filter, batch, answers);
    uint64_t right = 0;
    for (uint64_t i = 0; i < batch.size(); ++i) {
      const bool is_new = model.InsertNew(keys[first + i]);
      right += is_new ? 1 : 0;
      ASSERT_EQ(AnswerAt(answers.data(), i), is_new) << "key " << first + i;
    }
    ASSERT_EQ(fresh, right);
    ASSERT_EQ(answers.back(), 0xa5);
  }
  ExpectSameLayers(filter.layers(), model.layers());
}

TEST(Scalable, AnyCutOfDistinctKeysAgreesWithTheModel) {
  const std::vector<uint64_t> keys = DistinctKeys(20'000, 1);
  for (const uint64_t cut : {1, 7, 64, 100, 1000, 20'000}) {
    ExpectModelAgrees(keys, cut, 100, 0.01);
  }
}

TEST(Scalable, RepeatsAcrossTheEndOfALayerAgreeWithTheModel) {
  // Every key about four times, at random distances; layers end at 64, 192, 448, ... keys.
  const std::vector<uint64_t> keys = RepeatingKeys(20'000, 5'000, 2);
  for (const Variant variant : AllVariants()) {
    for (const uint64_t cut : {3, 63, 64, 65, 1000, 20'000}) {
      ExpectModelAgrees(keys, cut, 64, 0.02, {.variant = variant, .seed = 11});
    }
  }
}

TEST(Scalable, AKeyRepeatedJustBehindTheEndOfALayerIsNotNew) {
  // The eighth key fills the first layer; the ninth is any of those before.
  for (uint64_t again = 0; again < 8; ++again) {
    std::vector<uint64_t> keys = DistinctKeys(20, 3);
    keys.insert(keys.begin() + 8, keys[again]);
    ExpectModelAgrees(keys, keys.size(), 8, 0.001);
  }
}

TEST(Scalable, AFullLayerIsFollowedOnlyWhenAnotherNewKeyComes) {
  ScalableFilter filter(1000, 0.001);
  Engine engine;
  std::vector<uint64_t> keys = DistinctKeys(1000, 4);
  keys.insert(keys.end(), keys.begin(), keys.end());
  const uint64_t fresh = engine.InsertNew(filter, Keys::U64(keys));
  EXPECT_EQ(filter.inserted(), fresh);
  EXPECT_EQ(filter.layers().size(), 1U);
  engine.InsertNew(filter, Keys::U64(DistinctKeys(1000 - fresh + 1, 5)));
  EXPECT_EQ(filter.layers().size(), 2U);
}

TEST(Scalable, EqualKeysAreOneKey) {
  const std::vector<uint64_t> keys(100'000, 42);
  ExpectModelAgrees(keys, keys.size(), 1, 0.01);
  ScalableFilter filter(10, 0.01);
  EXPECT_EQ(Engine().InsertNew(filter, Keys::U64(keys)), 1U);
  EXPECT_EQ(filter.layers().size(), 1U);
}

TEST(Scalable, RunsOfEqualKeysAgreeWithTheModel) {
  std::vector<uint64_t> keys;
  for (const uint64_t key : DistinctKeys(100, 6)) keys.insert(keys.end(), 200, key);
  ExpectModelAgrees(keys, keys.size(), 3, 0.01);
}

TEST(Scalable, MoreKeysThanAreTakenAtOnceAgreeWithTheModel) {
  // Batches are worked on in pieces of 2^18 keys.
  ExpectModelAgrees(RepeatingKeys(600'000, 300'000, 7), 600'000, 50'000, 0.01);
}

TEST(Scalable, StringsAndIntegersOfTheSameBytesAreTheSameKeys) {
  const std::vector<uint64_t> keys = RepeatingKeys(5000, 2000, 8);
  std::vector<std::string_view> views;
  views.reserve(keys.size());
  for (const uint64_t& key : keys) views.emplace_back(reinterpret_cast<const char*>(&key), 8);
  ScalableFilter by_number(100, 0.01);
  ScalableFilter by_bytes(100, 0.01);
  Engine engine;
  EXPECT_EQ(engine.InsertNew(by_number, Keys::U64(keys)),
            engine.InsertNew(by_bytes, Keys::Views(views)));
  ExpectSameLayers(by_bytes.layers(), by_number.layers());
}

TEST(Scalable, InsertPutsInWhatInsertNewDoes) {
  const std::vector<uint64_t> keys = RepeatingKeys(10'000, 4000, 9);
  ScalableFilter inserted(50, 0.01);
  ScalableFilter asked(50, 0.01);
  Engine engine;
  engine.Insert(inserted, Keys::U64(keys));
  engine.InsertNew(asked, Keys::U64(keys));
  ExpectSameLayers(inserted.layers(), asked.layers());
}

TEST(Scalable, NoKeyIsEverLost) {
  const std::vector<uint64_t> keys = DistinctKeys(200'000, 10);
  ScalableFilter filter(100, 0.01);
  Engine engine;
  std::vector<uint8_t> answers(AnswerBytes(keys.size()));
  for (uint64_t first = 0; first < keys.size(); first += 50'000) {
    engine.InsertNew(filter, Keys::U64(keys).Slice(first, 50'000));
    const uint64_t so_far = first + 50'000;
    EXPECT_EQ(engine.Contains(filter, Keys::U64(keys).Slice(0, so_far), answers), so_far);
    for (uint64_t i = 0; i < so_far; ++i) ASSERT_TRUE(AnswerAt(answers.data(), i)) << i;
  }
  EXPECT_GT(filter.layers().size(), 10U);
}

TEST(Scalable, AnswersOfContainsAreThoseOfTheLayers) {
  ScalableFilter filter(500, 0.1);
  Engine engine;
  engine.Insert(filter, Keys::U64(DistinctKeys(10'000, 11)));
  std::vector<uint64_t> asked = DistinctKeys(10'000, 12);
  const std::vector<uint64_t> inside = DistinctKeys(3000, 11);
  asked.insert(asked.begin() + 5000, inside.begin(), inside.end());
  std::vector<uint8_t> answers(AnswerBytes(asked.size()));
  uint64_t right = 0;
  const uint64_t present = engine.Contains(filter, Keys::U64(asked), answers);
  for (uint64_t i = 0; i < asked.size(); ++i) {
    bool in_some = false;
    for (const Filter& layer : filter.layers()) in_some |= engine.ContainsOne(layer, asked[i]);
    ASSERT_EQ(AnswerAt(answers.data(), i), in_some) << i;
    right += in_some ? 1 : 0;
  }
  EXPECT_EQ(present, right);
}

// The whole rate stays under the one asked for, at every size: expected, observed, and measured
// within kSigmas binomial deviations.
TEST(Scalable, TheWholeStaysUnderItsRateWhileItGrows) {
  constexpr double kFpr = 0.02;
  constexpr uint64_t kTrials = 200'000;
  for (const Variant variant : AllVariants()) {
    ScalableFilter filter(1000, kFpr, {.variant = variant});
    Engine engine;
    const std::vector<uint64_t> foreign = DistinctKeys(kTrials, 999);
    for (uint64_t set = 13; set < 21; ++set) {
      engine.Insert(filter, Keys::U64(DistinctKeys(uint64_t{1000} << (set - 13), set)));
      EXPECT_LT(filter.ExpectedFpr(), kFpr);
      const double measured =
          static_cast<double>(engine.Contains(filter, Keys::U64(foreign))) / kTrials;
      EXPECT_LT(measured, kFpr);
      EXPECT_NEAR(measured, filter.ObservedFpr(),
                  kSigmas * BinomialSigma(filter.ObservedFpr(), kTrials));
    }
    EXPECT_GE(filter.layers().size(), 8U);
  }
}

TEST(Scalable, LayersDoubleAndTighten) {
  const ScalableFilter filter(1000, 0.01);
  for (size_t i = 0; i < 8; ++i) {
    const Plan plan = filter.PlanOfLayer(i);
    EXPECT_EQ(plan.capacity, 1000U << i);
    EXPECT_DOUBLE_EQ(plan.fpr, 0.01 / std::pow(2, i + 1));
  }
  ExpectNames(RefusalOf<InvalidArgument>([&] { filter.PlanOfLayer(ScalableFilter::kMaxLayers); }),
              {"layer 40", "40 layers"});
}

TEST(Scalable, NoKeysAtAllChangeNothing) {
  ScalableFilter filter(0, 0.01);
  EXPECT_EQ(filter.first_capacity(), 1U);
  EXPECT_EQ(Engine().InsertNew(filter, Keys::U64({})), 0U);
  EXPECT_EQ(Engine().Contains(filter, Keys::U64({})), 0U);
  EXPECT_EQ(filter.inserted(), 0U);
  EXPECT_EQ(filter.ExpectedFpr(), 0);
}

TEST(Scalable, AnswersTooShortAreRefusedBeforeAnythingIsPutIn) {
  ScalableFilter filter(10, 0.01);
  const std::vector<uint64_t> keys = DistinctKeys(100, 14);
  std::vector<uint8_t> answers(12);
  ExpectNames(
      RefusalOf<InvalidArgument>([&] { Engine().InsertNew(filter, Keys::U64(keys), answers); }),
      {"12 bytes", "100 keys need 13"});
  EXPECT_EQ(filter.inserted(), 0U);
}

std::vector<Filter> LayersOf(uint64_t first_capacity, double fpr, std::vector<uint64_t> inserted) {
  const ScalableFilter planned(first_capacity, fpr);
  std::vector<Filter> layers;
  for (size_t i = 0; i < inserted.size(); ++i) {
    layers.emplace_back(planned.PlanOfLayer(i));
    layers.back().AddInserted(inserted[i]);
  }
  return layers;
}

TEST(Scalable, LayersGivenAreThoseThatGrowingMakes) {
  const ScalableFilter good(100, 0.01, {}, LayersOf(100, 0.01, {100, 200, 30}));
  EXPECT_EQ(good.inserted(), 330U);
  const auto refusal = [](uint64_t capacity, double fpr, std::vector<Filter> layers) {
    return RefusalOf<InvalidArgument>(
        [&] { ScalableFilter(capacity, fpr, {}, std::move(layers)); });
  };
  ExpectNames(refusal(100, 0.01, {}), {"0 layers", "1 to 40"});
  ExpectNames(refusal(0, 0.01, LayersOf(1, 0.01, {1})), {"first capacity 0"});
  ExpectNames(refusal(100, 2, LayersOf(100, 0.01, {1})), {"rate 2"});
  ExpectNames(refusal(101, 0.01, LayersOf(100, 0.01, {1})), {"layer 0"});
  ExpectNames(refusal(100, 0.02, LayersOf(100, 0.01, {1})), {"layer 0"});
  ExpectNames(refusal(100, 0.01, LayersOf(100, 0.01, {99, 5})), {"layer 0", "99 of 100"});
  ExpectNames(refusal(100, 0.01, LayersOf(100, 0.01, {100, 201})), {"layer 1", "201 of 200"});
}

}  // namespace
}  // namespace tamis
