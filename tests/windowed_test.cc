// Windows against a plain model: one key after the other, each asked of every living generation and
// put into the newest. Batches must leave the same generations with the same bytes, and give the
// same answers, wherever they are cut.

#include "tamis/windowed.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "samples.h"
#include "tamis/engine.h"

namespace tamis {
namespace {

// The definition, from core/tamis/windowed.h's first lines.
class Model {
 public:
  Model(const Window& window, double fpr, const PlanOptions& options)
      : window_(window), plan_(WindowedFilter(window, fpr, options).plan()) {}

  void AdvanceTo(uint64_t seconds) { MoveTo(std::max(current_, seconds / window_.period)); }

  bool InsertNew(uint64_t key) {
    for (const auto& [number, filter] : living_) {
      if (engine_.ContainsOne(filter, key)) return false;
    }
    if (!window_.by_time() && !living_.empty() &&
        living_.back().second.inserted() == window_.capacity) {
      MoveTo(current_ + 1);
    }
    if (living_.empty() || living_.back().first != current_) living_.emplace_back(current_, plan_);
    return engine_.InsertOne(living_.back().second, key);
  }

  void ExpectSame(const WindowedFilter& filter) const {
    ASSERT_EQ(filter.current(), current_);
    ASSERT_EQ(filter.layers().size(), living_.size());
    for (size_t i = 0; i < living_.size(); ++i) {
      EXPECT_EQ(filter.numbers()[i], living_[i].first);
      EXPECT_EQ(filter.layers()[i].inserted(), living_[i].second.inserted());
      EXPECT_TRUE(BytesOf(filter.layers()[i]) == BytesOf(living_[i].second)) << "layer " << i;
    }
  }

 private:
  void MoveTo(uint64_t number) {
    current_ = number;
    while (!living_.empty() && living_.front().first + window_.generations <= current_) {
      living_.pop_front();
    }
  }

  Window window_;
  Plan plan_;
  Engine engine_;
  uint64_t current_ = 0;
  std::deque<std::pair<uint64_t, Filter>> living_;
};

// Puts keys into both, as one batch, and compares every answer.
void ExpectSameAnswers(Model& model, WindowedFilter& filter, Engine& engine, const Keys& batch,
                       const uint64_t* keys) {
  std::vector<uint8_t> answers(AnswerBytes(batch.size()) + 1, 0xa5);
  const uint64_t fresh = engine.InsertNew(filter, batch, answers);
  uint64_t right = 0;
  for (uint64_t i = 0; i < batch.size(); ++i) {
    const bool is_new = model.InsertNew(keys[i]);
    right += is_new ? 1 : 0;
    ASSERT_EQ(AnswerAt(answers.data(), i), is_new) << "key " << i;
  }
  ASSERT_EQ(fresh, right);
  ASSERT_EQ(answers.back(), 0xa5);
}

void ExpectModelAgreesByCount(const std::vector<uint64_t>& keys, uint64_t cut, const Window& window,
                              const PlanOptions& options = {}) {
  SCOPED_TRACE("batches of " + std::to_string(cut));
  constexpr double kFpr = 0.02;
  Model model(window, kFpr, options);
  WindowedFilter filter(window, kFpr, options);
  Engine engine;
  for (uint64_t first = 0; first < keys.size(); first += cut) {
    const Keys batch = Keys::U64(keys).Slice(first, std::min(cut, keys.size() - first));
    ExpectSameAnswers(model, filter, engine, batch, keys.data() + first);
  }
  model.ExpectSame(filter);
}

TEST(Windowed, ByCountAnyCutAgreesWithTheModel) {
  // Keys come back at all distances, before and after they were forgotten.
  const std::vector<uint64_t> keys = RepeatingKeys(20'000, 3'000, 1);
  for (const uint64_t cut : {1, 7, 63, 64, 65, 1000, 20'000}) {
    ExpectModelAgreesByCount(keys, cut, Window::ByCount(1000, 4));
    ExpectModelAgreesByCount(keys, cut, Window::ByCount(100, 1));
  }
  const std::vector<uint64_t> few(keys.begin(), keys.begin() + 1000);
  ExpectModelAgreesByCount(few, 64, Window::ByCount(10, 10));  // one key a generation
}

TEST(Windowed, ByCountEveryVariantAgreesWithTheModel) {
  const std::vector<uint64_t> keys = RepeatingKeys(5'000, 1'000, 2);
  for (const Variant variant : AllVariants()) {
    ExpectModelAgreesByCount(keys, 999, Window::ByCount(300, 3), {.variant = variant, .seed = 5});
  }
}

TEST(Windowed, ByCountMoreKeysThanAreTakenAtOnceAgreeWithTheModel) {
  // Batches are worked on in pieces of 2^18 keys.
  ExpectModelAgreesByCount(RepeatingKeys(600'000, 250'000, 3), 600'000,
                           Window::ByCount(300'000, 2));
}

TEST(Windowed, ByCountAKeyIsForgottenWhenAWindowOfNewKeysHasCome) {
  WindowedFilter filter(Window::ByCount(300, 3), 1e-9);
  Engine engine;
  const std::vector<uint64_t> keys = DistinctKeys(301, 4);
  engine.Insert(filter, Keys::U64(keys).Slice(0, 300));
  EXPECT_EQ(engine.Contains(filter, Keys::U64(keys)), 300U);
  engine.Insert(filter, Keys::U64(keys).Slice(300, 1));  // opens a fourth generation
  EXPECT_EQ(engine.Contains(filter, Keys::U64(keys).Slice(0, 100)), 0U);
  EXPECT_EQ(engine.Contains(filter, Keys::U64(keys).Slice(100, 201)), 201U);
}

TEST(Windowed, ByCountAKeyDroppedInsideABatchIsNewAgainInIt) {
  // One batch: a window's worth of keys, one more, and then the first again.
  std::vector<uint64_t> keys = DistinctKeys(301, 5);
  keys.push_back(keys.front());
  WindowedFilter filter(Window::ByCount(300, 3), 1e-9);
  EXPECT_EQ(Engine().InsertNew(filter, Keys::U64(keys)), 302U);
}

TEST(Windowed, ByTimeAnyCutAgreesWithTheModel) {
  constexpr uint64_t kPeriod = 3600;
  const Window window = Window::ByTime(4 * kPeriod, 4, 4000);
  for (const uint64_t cut : {1, 64, 333, 5000}) {
    SCOPED_TRACE("batches of " + std::to_string(cut));
    Model model(window, 0.02, {});
    WindowedFilter filter(window, 0.02);
    Engine engine;
    // Steps in hours: on, nowhere, back, on, over more than a window, and on.
    uint64_t hour = 400'000;
    for (const int step : {0, 1, 0, -2, 3, 1, 1, 9, 1, -40, 41}) {
      hour += static_cast<uint64_t>(static_cast<int64_t>(step));
      model.AdvanceTo(hour * kPeriod + 17);
      filter.AdvanceTo(hour * kPeriod + 17);
      const std::vector<uint64_t> keys = RepeatingKeys(5'000, 2'000, 6 + hour % 3);
      for (uint64_t first = 0; first < keys.size(); first += cut) {
        const Keys batch = Keys::U64(keys).Slice(first, std::min(cut, keys.size() - first));
        ExpectSameAnswers(model, filter, engine, batch, keys.data() + first);
      }
      model.ExpectSame(filter);
    }
  }
}

constexpr uint64_t kDay = 86'400;
constexpr uint64_t kMonday = 19'723 * kDay;  // 2024-01-01

TEST(Windowed, ByTimeAKeyLivesForAWindowLessTheRestOfItsDay) {
  const std::vector<uint64_t> key = {42};
  for (const uint64_t hour : {0, 12, 23}) {
    WindowedFilter filter(Window::ByTime(7 * kDay, 7, 1000), 1e-6);
    Engine engine;
    filter.AdvanceTo(kMonday + hour * 3600);
    EXPECT_EQ(engine.InsertNew(filter, Keys::U64(key)), 1U);
    filter.AdvanceTo(kMonday + 7 * kDay - 1);
    EXPECT_EQ(engine.InsertNew(filter, Keys::U64(key)), 0U);  // seen again: not refreshed
    filter.AdvanceTo(kMonday + 7 * kDay);
    EXPECT_EQ(engine.InsertNew(filter, Keys::U64(key)), 1U);
  }
}

TEST(Windowed, ByTimeIdlingForLongerThanAWindowForgetsEverythingAtOnce) {
  WindowedFilter filter(Window::ByTime(7 * kDay, 7, 7000), 0.01);
  Engine engine;
  for (uint64_t day = 0; day < 7; ++day) {
    filter.AdvanceTo(kMonday + day * kDay);
    engine.Insert(filter, Keys::U64(DistinctKeys(1000, 20 + day)));
  }
  EXPECT_EQ(filter.layers().size(), 7U);
  filter.AdvanceTo(kMonday + 100 * kDay);
  EXPECT_EQ(filter.layers().size(), 0U);
  EXPECT_EQ(filter.bytes(), 0U);
  EXPECT_EQ(filter.inserted(), 0U);
  EXPECT_EQ(filter.ExpectedFpr(), 0);
  EXPECT_EQ(engine.Contains(filter, Keys::U64(DistinctKeys(1000, 26))), 0U);
}

TEST(Windowed, ByTimeAClockThatGoesBackLosesNothingAndBringsNothingBack) {
  WindowedFilter filter(Window::ByTime(2 * kDay, 2, 2000), 1e-9);
  Engine engine;
  const std::vector<uint64_t> keys = DistinctKeys(1000, 30);
  filter.AdvanceTo(kMonday);
  engine.Insert(filter, Keys::U64(keys));
  filter.AdvanceTo(kMonday - 50 * kDay);
  EXPECT_EQ(engine.Contains(filter, Keys::U64(keys)), keys.size());
  filter.AdvanceTo(kMonday + 2 * kDay);
  filter.AdvanceTo(kMonday);
  EXPECT_EQ(engine.Contains(filter, Keys::U64(keys)), 0U);
  filter.AdvanceTo(UINT64_MAX);  // no clock says so; nothing overflows
  EXPECT_EQ(filter.current(), filter.window().LastNumber());
}

TEST(Windowed, TheWholeStaysUnderItsRate) {
  constexpr double kFpr = 0.02;
  constexpr uint64_t kTrials = 200'000;
  const std::vector<uint64_t> foreign = DistinctKeys(kTrials, 999);
  for (const Variant variant : AllVariants()) {
    WindowedFilter filter(Window::ByCount(40'000, 4), kFpr, {.variant = variant});
    Engine engine;
    for (uint64_t set = 31; set < 38; ++set) {
      engine.Insert(filter, Keys::U64(DistinctKeys(10'000, set)));
      EXPECT_LE(filter.ExpectedFpr(), kFpr * (1 + 1e-9));
      const double measured =
          static_cast<double>(engine.Contains(filter, Keys::U64(foreign))) / kTrials;
      EXPECT_NEAR(measured, filter.ObservedFpr(),
                  kSigmas * BinomialSigma(filter.ObservedFpr(), kTrials));
    }
  }
}

TEST(Windowed, MoreKeysThanPlannedAreToldByTimeAndCannotBeByCount) {
  Engine engine;
  WindowedFilter by_time(Window::ByTime(4, 4, 4000), 0.01);
  engine.Insert(by_time, Keys::U64(DistinctKeys(1000, 40)));
  EXPECT_FALSE(by_time.overfull());
  engine.Insert(by_time, Keys::U64(DistinctKeys(1000, 41)));
  EXPECT_TRUE(by_time.overfull());
  WindowedFilter by_count(Window::ByCount(4000, 4), 0.01);
  engine.Insert(by_count, Keys::U64(DistinctKeys(20'000, 42)));
  EXPECT_FALSE(by_count.overfull());
}

TEST(Windowed, FiltersFilledOnTwoMachinesMergeToThatOfOne) {
  const Window window = Window::ByTime(3 * kDay, 3, 3000);
  WindowedFilter one(window, 0.01);
  WindowedFilter here(window, 0.01);
  WindowedFilter there(window, 0.01);
  Engine engine;
  for (uint64_t day = 0; day < 5; ++day) {
    const std::vector<uint64_t> keys = DistinctKeys(200, 50 + day);
    // Each of the two was idle on some days.
    for (WindowedFilter* filter : {&one, day % 2 == 0 ? &here : &there}) {
      filter->AdvanceTo(kMonday + day * kDay);
      engine.Insert(*filter, Keys::U64(keys));
    }
  }
  there.AdvanceTo(kMonday + kDay);  // whose clock is behind
  engine.Merge(there, here);
  ASSERT_EQ(there.current(), one.current());
  ASSERT_EQ(there.numbers(), one.numbers());
  for (size_t i = 0; i < one.layers().size(); ++i) {
    EXPECT_EQ(there.layers()[i].inserted(), one.layers()[i].inserted());
    EXPECT_TRUE(BytesOf(there.layers()[i]) == BytesOf(one.layers()[i])) << "layer " << i;
  }
}

TEST(Windowed, WindowsThatDifferOrCountAreNotMerged) {
  Engine engine;
  WindowedFilter day(Window::ByTime(7 * kDay, 7, 7000), 0.01);
  WindowedFilter hours(Window::ByTime(uint64_t{7} * 3600, 7, 7000), 0.01);
  WindowedFilter count(Window::ByCount(7000, 7), 0.01);
  ExpectNames(RefusalOf<SpecMismatch>([&] { engine.Merge(day, hours); }), {"86400", "3600"});
  ExpectNames(RefusalOf<SpecMismatch>([&] { engine.Merge(count, count); }), {"by time"});
  WindowedFilter larger(Window::ByTime(7 * kDay, 7, 70'000), 0.01);
  EXPECT_THROW(engine.Merge(day, larger), SpecMismatch);
}

TEST(Windowed, WindowsOutOfRangeAreRefused) {
  ExpectNames(RefusalOf<InvalidArgument>([] { Window::ByTime(10, 0, 10); }), {"0 gen", "1 to 256"});
  ExpectNames(RefusalOf<InvalidArgument>([] { Window::ByCount(1000, 257); }), {"257", "1 to 256"});
  ExpectNames(RefusalOf<InvalidArgument>([] { Window::ByTime(6, 7, 10); }), {"6 seconds", "7"});
  ExpectNames(RefusalOf<InvalidArgument>([] { Window::ByCount(6, 7); }), {"6 keys", "7"});
  ExpectNames(RefusalOf<InvalidArgument>([] { Window::ByCount(UINT64_MAX, 7); }), {"keys"});
  EXPECT_THROW(WindowedFilter(Window{.period = 1, .capacity = 0}, 0.01), InvalidArgument);
  EXPECT_THROW(WindowedFilter(Window::ByCount(100, 2), 0), InvalidArgument);
  EXPECT_THROW(WindowedFilter(Window::ByCount(100, 2), 1.5), InvalidArgument);
  EXPECT_EQ(Window::ByTime(10, 3, 10).period, 4U);  // rounded up: nothing is forgotten early
}

TEST(Windowed, NoKeysAtAllChangeNothing) {
  WindowedFilter filter(Window::ByCount(100, 2), 0.01);
  EXPECT_EQ(Engine().InsertNew(filter, Keys::U64({})), 0U);
  EXPECT_EQ(Engine().Contains(filter, Keys::U64({})), 0U);
  EXPECT_EQ(filter.layers().size(), 0U);
  std::vector<uint8_t> answers = {0xff};
  const std::vector<uint64_t> keys = {1, 2, 3};
  EXPECT_EQ(Engine().Contains(filter, Keys::U64(keys), answers), 0U);
  EXPECT_EQ(answers.front(), 0xf8);
}

std::vector<Filter> LayersOf(const WindowedFilter& of, const std::vector<uint64_t>& inserted) {
  std::vector<Filter> layers;
  for (const uint64_t keys : inserted) layers.emplace_back(of.plan()).AddInserted(keys);
  return layers;
}

TEST(Windowed, GenerationsGivenAreThoseThatAWindowMakes) {
  const Window count = Window::ByCount(300, 3);
  const Window time = Window::ByTime(300, 3, 300);
  const WindowedFilter planned(count, 0.01);
  const auto make = [&](const Window& window, uint64_t current, std::vector<uint64_t> numbers,
                        const std::vector<uint64_t>& inserted) {
    return WindowedFilter(window, 0.01, {}, current, std::move(numbers),
                          LayersOf(planned, inserted));
  };
  EXPECT_EQ(make(count, 8, {6, 7, 8}, {100, 100, 30}).inserted(), 230U);
  EXPECT_EQ(make(time, 8, {6, 8}, {10, 500}).inserted(), 510U);
  EXPECT_TRUE(make(time, 8, {}, {}).layers().empty());
  const auto refusal = [&](const Window& window, uint64_t current, std::vector<uint64_t> numbers,
                           const std::vector<uint64_t>& inserted) {
    return RefusalOf<InvalidArgument>([&] { make(window, current, std::move(numbers), inserted); });
  };
  ExpectNames(refusal(time, 8, {5}, {1}), {"generation 5", "8"});
  ExpectNames(refusal(time, 8, {9}, {1}), {"generation 9", "8"});
  ExpectNames(refusal(time, 8, {7, 7}, {1, 1}), {"generation 7", "place 1"});
  ExpectNames(refusal(time, 8, {7}, {1, 1}), {"2 generations", "1 numbers"});
  ExpectNames(refusal(time, UINT64_MAX, {}, {}), {"generation 18446744073709551615"});
  ExpectNames(refusal(count, 8, {7, 8}, {99, 1}), {"generation 7", "99 of 100"});
  ExpectNames(refusal(count, 8, {7, 8}, {100, 101}), {"generation 8", "101 of 100"});
  ExpectNames(refusal(count, 8, {6, 8}, {100, 1}), {"generation 6"});
  ExpectNames(refusal(count, 8, {6, 7}, {100, 1}), {"generation 7"});
  EXPECT_THROW(WindowedFilter(Window::ByCount(600, 3), 0.01, {}, 0, {0}, LayersOf(planned, {1})),
               InvalidArgument);
}

}  // namespace
}  // namespace tamis
