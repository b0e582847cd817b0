// The native file against CASES.md, "Files and merging". Hostile files are made here by hand, at
// the offsets that core/README.md gives, so that the table is tested and not only the code.
#include "tamis/file.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "file_test_helpers.h"
#include "golden/golden_filters.h"

namespace tamis {
namespace {

using testing::ExpectRefused;
using testing::FamilyImage;
using testing::FilterImage;
using testing::kPage;
using testing::Put;
using testing::ReadFile;
using testing::Seal;
using testing::SmallFilter;
using testing::SmallImages;
using testing::SmallScalable;
using testing::SmallWindowed;
using testing::TempDir;
using testing::WriteFile;

// Writes `image`, with `value` at `offset` and the page's checksum made right again, and expects
// Load to refuse it by a message that has all of `parts`.
template <typename T>
void ExpectFieldRefused(std::string image, uint64_t page_at, uint64_t offset, T value,
                        const std::vector<std::string>& parts) {
  const TempDir dir;
  Put(image, page_at + offset, value);
  Seal(image, page_at);
  WriteFile(dir / "f.tamis", image);
  ExpectRefused(dir / "f.tamis", parts);
}

template <typename Family>
void ExpectSameLayers(const Family& got, const Family& right) {
  ASSERT_EQ(got.layers().size(), right.layers().size());
  EXPECT_EQ(got.inserted(), right.inserted());
  for (size_t i = 0; i < right.layers().size(); ++i) {
    EXPECT_TRUE(std::ranges::equal(got.layers()[i].bytes(), right.layers()[i].bytes()));
  }
}

TEST(FileCases, RoundTripsOfEveryKindGiveTheSameFilter) {
  const TempDir dir;
  for (const LoadMode mode : {LoadMode::kRead, LoadMode::kMap}) {
    const Filter filter = SmallFilter();
    Save(filter, dir / "filter");
    const Filter again = LoadFilter(dir / "filter", mode);
    EXPECT_EQ(again.plan(), filter.plan());
    EXPECT_EQ(again.inserted(), filter.inserted());
    EXPECT_TRUE(std::ranges::equal(again.bytes(), filter.bytes()));
    EXPECT_EQ(again.storage().writable(), mode == LoadMode::kRead);

    const ScalableFilter family = SmallScalable();
    Save(family, dir / "family");
    ExpectSameLayers(LoadScalable(dir / "family", mode), family);

    const WindowedFilter window = SmallWindowed();
    Save(window, dir / "window");
    const WindowedFilter window_again = LoadWindowed(dir / "window", mode);
    ExpectSameLayers(window_again, window);
    EXPECT_EQ(window_again.window(), window.window());
    EXPECT_EQ(window_again.current(), window.current());
    EXPECT_EQ(window_again.numbers(), window.numbers());
  }
  VerifyFile(dir / "filter");
  VerifyFile(dir / "family");
  VerifyFile(dir / "window");
}

TEST(FileCases, AWindowWithoutKeysIsSavedAndOpened) {
  const TempDir dir;
  WindowedFilter empty(Window::ByTime(400, 4, 80), 0.25);
  empty.AdvanceTo(1000);
  Save(empty, dir / "window");
  WindowedFilter again = LoadWindowed(dir / "window");
  EXPECT_EQ(again.current(), 10U);
  EXPECT_EQ(again.layers().size(), 0U);
  again = testing::Holding(5, std::move(again));
  EXPECT_EQ(again.numbers(), std::vector<uint64_t>{10});
}

TEST(FileCases, AMappedWindowTakesNoKeysButForgets) {
  const TempDir dir;
  Save(SmallWindowed(), dir / "window");
  WindowedFilter mapped = LoadWindowed(dir / "window", LoadMode::kMap);
  const std::vector<uint64_t> keys = {1, 20, 99};
  EXPECT_THROW(testing::ScalarEngine().InsertNew(mapped, Keys::U64(keys)), InvalidArgument);
  EXPECT_GE(testing::ScalarEngine().Contains(mapped, Keys::U64(keys)), 2U);
  mapped.AdvanceTo(10'000);
  EXPECT_EQ(testing::ScalarEngine().Contains(mapped, Keys::U64(keys)), 0U);
}

TEST(FileCases, TheTableInTheReadmeDescribesWhatIsWritten) {
  const TempDir dir;
  const Filter filter = SmallFilter();
  Save(filter, dir / "filter");
  EXPECT_EQ(ReadFile(dir / "filter"), FilterImage(filter));
  const ScalableFilter family = SmallScalable();
  Save(family, dir / "family");
  EXPECT_EQ(ReadFile(dir / "family"), FamilyImage(family));
  const WindowedFilter window = SmallWindowed();
  Save(window, dir / "window");
  EXPECT_EQ(ReadFile(dir / "window"), FamilyImage(window));
}

TEST(FileCases, F1_NoBlocksOrNoBodyIsRefused) {
  ExpectFieldRefused(FilterImage(SmallFilter()), 0, 32, uint64_t{0}, {"blocks 0", "1 to"});
  ExpectFieldRefused(FilterImage(SmallFilter()), 0, 72, uint64_t{0}, {"body length 0"});
  std::string header = FilterImage(SmallFilter()).substr(0, kPage);
  Put(header, 32, uint64_t{0});
  Put(header, 72, uint64_t{0});
  ExpectFieldRefused(header, 0, 40, uint32_t{8}, {"blocks 0"});
}

TEST(FileCases, F2_ClaimsAreHeldAgainstTheFilesLengthBeforeAllocating) {
  const std::string image = FilterImage(SmallFilter());
  ExpectFieldRefused(image, 0, 32, uint64_t{1} << 43, {"blocks 8796093022208"});
  ExpectFieldRefused(image, 0, 40, uint32_t{369'098'752}, {"k 369098752", "expected 8"});
  std::string large = image;  // 64 GiB: a claim in range, in a file of 8 KiB
  Put(large, 32, uint64_t{1} << 31);
  ExpectFieldRefused(large, 0, 72, uint64_t{1} << 36, {"file length 8192", "68719480832"});
  ExpectFieldRefused(FamilyImage(SmallScalable()), 0, 64, uint32_t{4'000'000'000}, {"layers 4000"});
  const std::string window = FamilyImage(SmallWindowed());
  constexpr uint64_t kHuge = uint64_t{1} << 60;
  ExpectFieldRefused(window, 0, 32, kHuge, {"period 1152921504606846976"});
  ExpectFieldRefused(window, 0, 40, kHuge, {"capacity 1152921504606846976"});
  ExpectFieldRefused(window, 0, 40, uint64_t{0}, {"capacity 0"});
  ExpectFieldRefused(window, 0, 56, kHuge, {"current generation 1152921504606846976"});
  ExpectFieldRefused(window, 0, 64, uint32_t{0}, {"generations 0", "1 to 256"});
  ExpectFieldRefused(window, 0, 64, uint32_t{257}, {"generations 257", "1 to 256"});
  ExpectFieldRefused(window, 0, 68, uint32_t{5}, {"layers 5", "no more than 4"});
  ExpectFieldRefused(window, 0, 96, uint64_t{3}, {"number of layer 1 3", "4 to 3"});
  ExpectFieldRefused(window, 0, 104, uint64_t{4}, {"number of layer 1 4", "2 to 3"});
  ExpectFieldRefused(window, 0, 112, uint64_t{3}, {"number of layer 2 3", "there is none"});
}

TEST(FileCases, F3_FloatsOutOfRangeAreRefused) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const double bad : {kNan, kInf, -kInf, -0.25, 1.5, 1e300}) {
    ExpectFieldRefused(FilterImage(SmallFilter()), 0, 64, bad, {"target rate", "0 to 1"});
    ExpectFieldRefused(FamilyImage(SmallScalable()), 0, 40, bad, {"target rate"});
    ExpectFieldRefused(FamilyImage(SmallScalable()), 0, 48, bad, {"tightening ratio", "0.5"});
    ExpectFieldRefused(FamilyImage(SmallScalable()), kPage, 64, bad, {"layer 0: target rate"});
    ExpectFieldRefused(FamilyImage(SmallWindowed()), 0, 48, bad, {"target rate"});
    ExpectFieldRefused(FamilyImage(SmallWindowed()), kPage, 64, bad, {"layer 0: target rate"});
  }
  ExpectFieldRefused(FamilyImage(SmallScalable()), 0, 40, 1.0, {"target rate 1"});
  ExpectFieldRefused(FamilyImage(SmallScalable()), 0, 48, 2.0, {"tightening ratio 2"});
  ExpectFieldRefused(FamilyImage(SmallScalable()), 0, 56, uint64_t{0}, {"growth 0"});
  const TempDir dir;  // nor is such a thing written
  const Filter bad({.spec = {.blocks = 1}, .capacity = 1, .fpr = kNan});
  EXPECT_THROW(Save(bad, dir / "bad"), FileError);
  EXPECT_EQ(dir.Names(), std::vector<std::string>{});
}

TEST(FileCases, F4_SizesThatDisagreeByOneAreRefused) {
  const Filter filter = SmallFilter();
  const std::string image = FilterImage(filter);
  for (const uint64_t off : {uint64_t{1}, ~uint64_t{0}}) {
    ExpectFieldRefused(image, 0, 32, filter.spec().blocks + off, {"body length 160", "expected"});
    ExpectFieldRefused(image, 0, 44, static_cast<uint32_t>(32 + off), {"block size", "32"});
    ExpectFieldRefused(image, 0, 72, filter.spec().bytes() + off, {"body length", "160"});
  }
  const TempDir dir;
  for (const std::string& whole : SmallImages()) {
    for (const size_t extra : {size_t{1}, size_t{kPage}}) {
      WriteFile(dir / "long", whole + std::string(extra, '\0'));
      ExpectRefused(dir / "long", {"file length", "nothing after the filter"});
    }
  }
}

TEST(FileCases, F5_ABodyIsWholeBlocks) {
  for (const uint64_t bytes : {8, 16, 24, 33}) {
    std::string image = FilterImage(SmallFilter());
    Put(image, 32, uint64_t{1});
    ExpectFieldRefused(image, 0, 72, bytes, {"body length " + std::to_string(bytes), "32"});
  }
}

TEST(FileCases, F6_AnyFlippedBitIsDetected) {
  const TempDir dir;
  const std::string path = dir / "f";
  for (const std::string& whole : SmallImages()) {
    WriteFile(path, whole);
    for (uint64_t at = 0; at < whole.size(); ++at) {
      // Every bit of what is used, one bit of each byte of the zeros.
      const bool header = at % kPage < 96 || at % kPage >= kPage - 8;
      const bool all = header || whole[at] != 0;
      for (int bit = all ? 0 : static_cast<int>(at % 8); bit < 8; bit += all ? 1 : 8) {
        testing::WriteByte(path, at, whole[at] ^ (1 << bit));
        ASSERT_THROW(Load(path), FileError) << "bit " << bit << " of byte " << at;
      }
      testing::WriteByte(path, at, whole[at]);
    }
    EXPECT_NO_THROW(Load(path));
  }
}

TEST(FileCases, F6_AMappedFileDefersItsBodyToVerifyFile) {
  const TempDir dir;
  const std::string path = dir / "f";
  std::string image = FilterImage(SmallFilter());
  image[kPage] = static_cast<char>(image[kPage] ^ 1);
  WriteFile(path, image);
  EXPECT_NO_THROW(Load(path, LoadMode::kMap));
  EXPECT_THROW(VerifyFile(path), FileError);
  ExpectRefused(path, {"body checksum", "damaged"});
  image[20] = static_cast<char>(image[20] ^ 1);
  WriteFile(path, image);
  EXPECT_THROW(Load(path, LoadMode::kMap), FileError);
}

TEST(FileCases, F7_EveryTruncationIsRefused) {
  const TempDir dir;
  for (const std::string& whole : SmallImages()) {
    const std::string path = dir / "f";
    WriteFile(path, whole);
    for (size_t length = whole.size(); length-- > 0;) {
      ASSERT_EQ(truncate(path.c_str(), static_cast<off_t>(length)), 0);
      ASSERT_THROW(Load(path), FileError) << length << " bytes";
      ASSERT_THROW(Load(path, LoadMode::kMap), FileError) << length << " bytes";
    }
  }
}

TEST(FileCases, F8_UnknownIdsAreRefusedNamingBoth) {
  const std::string image = FilterImage(SmallFilter());
  ExpectFieldRefused(image, 0, 0, uint64_t{7}, {"no tamis header", "0x0000000000000007"});
  ExpectFieldRefused(image, 0, 8, uint32_t{2}, {"version 2", "expected 1"});
  ExpectFieldRefused(image, 0, 12, uint32_t{4},
                     {"kind 4", "1 (one filter) or 2 (scalable filter) or 3 (windowed filter)"});
  ExpectFieldRefused(image, 0, 16, uint32_t{9},
                     {"variant 9", "1 (split_block)", "2 (split_block_"});
  ExpectFieldRefused(image, 0, 20, uint32_t{99}, {"hash scheme 99", "1 (xxh64)"});
  ExpectFieldRefused(image, 0, 2000, uint8_t{5}, {"byte at 2000", "expected 0"});
  const std::string family = FamilyImage(SmallScalable());
  ExpectFieldRefused(family, kPage, 12, uint32_t{2}, {"layer 0: kind 2", "1 (one filter)"});
  ExpectFieldRefused(family, kPage, 24, uint64_t{3}, {"layer 0: seed 3", "the family's, 0"});
  ExpectFieldRefused(family, kPage, 56, uint64_t{5}, {"layer 0: capacity 5", "expected 20"});

  const TempDir dir;
  WriteFile(dir / "filter", image);
  WriteFile(dir / "family", family);
  const std::vector<std::string> both = {"1 (one filter)", "2 (scalable filter)"};
  ExpectRefused([&] { LoadScalable(dir / "filter"); }, {dir / "filter", both[0], both[1]});
  ExpectRefused([&] { LoadFilter(dir / "family"); }, {dir / "family", both[0], both[1]});
  ExpectRefused([&] { LoadWindowed(dir / "family"); }, {dir / "family", both[1], "3 (windowed"});
}

TEST(FileCases, F10_ALargeFilterOpensWithTheSameAnswers) {
  // 1e9 keys at 1e-6 take some 5 GB: a sparse file, mapped, with the blocks of a few keys written.
  const Plan plan = PlanFor(1'000'000'000, 1e-6);
  ASSERT_GT(plan.spec.bytes(), uint64_t{1} << 32);
  const TempDir dir;
  const std::string path = dir / "large";
  std::string header(kPage, '\0');
  testing::PutFilterPage(header, 0, plan, 1'000'000'000, 0);
  WriteFile(path, header);
  const uint64_t length = kPage + (plan.spec.bytes() + kPage - 1) / kPage * kPage;
  if (truncate(path.c_str(), static_cast<off_t>(length)) != 0) GTEST_SKIP() << "no sparse files";

  std::vector<uint64_t> keys(300);
  for (size_t i = 0; i < keys.size(); ++i) keys[i] = i;
  constexpr size_t kIn = 100;
  for (size_t i = 0; i < kIn; ++i) {
    const Place place = Locate(Xxh64(keys[i], 0), static_cast<uint32_t>(plan.spec.blocks));
    uint32_t block[kBlockWords] = {};
    Mark(block, place.low);
    testing::WriteAt(path, kPage + uint64_t{place.block} * 32, std::as_bytes(std::span(block)));
  }
  const Filter filter = LoadFilter(path, LoadMode::kMap);
  EXPECT_EQ(filter.plan(), plan);
  std::vector<uint8_t> answers(AnswerBytes(keys.size()));
  EXPECT_EQ(testing::ScalarEngine().Contains(filter, Keys::U64(keys), answers), kIn);
  for (size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(AnswerAt(answers.data(), i), i < kIn);
}

TEST(FileCases, F10_TheSameAtFullDensity) {
  const TempDir dir;
  std::vector<uint64_t> keys(100'000);
  for (size_t i = 0; i < keys.size(); ++i) keys[i] = i * 77;
  Filter filter(PlanFor(keys.size(), 1e-6));
  const Engine engine = testing::ScalarEngine();
  testing::ScalarEngine().Insert(filter, Keys::U64(keys));
  Save(filter, dir / "f");
  for (const LoadMode mode : {LoadMode::kRead, LoadMode::kMap}) {
    const Filter again = LoadFilter(dir / "f", mode);
    EXPECT_EQ(engine.Contains(again, Keys::U64(keys)), keys.size());
    EXPECT_TRUE(std::ranges::equal(again.bytes(), filter.bytes()));
  }
}

TEST(FileCases, F11_GoldenFilesAreWrittenAnewToTheByteAndAnswerAsRecorded) {
  const TempDir dir;
  const std::string golden = TAMIS_GOLDEN_DIR "/";
  for (const auto& [name, filter] : golden::Filled()) {
    Save(filter, dir / name);
    EXPECT_EQ(ReadFile(dir / name), ReadFile(golden + name + ".tamis")) << name;
    for (const LoadMode mode : {LoadMode::kRead, LoadMode::kMap}) {
      const AnyFilter read = Load(golden + name + ".tamis", mode);
      EXPECT_EQ(golden::AnswersOf(read), ReadFile(golden + name + ".answers")) << name;
    }
  }
}

TEST(FileCases, F12_FiltersOfOtherSizesAreNotMerged) {
  // By plan, where one key more may round to the same size, and by blocks. Memory is not touched.
  Filter small(PlanFor(16'000'000, 0.01));
  const Filter large(PlanFor(160'000'000, 0.01));
  Filter even({.spec = {.blocks = 1'600'000}});
  const Filter odd({.spec = {.blocks = 1'600'001}});
  Engine engine = testing::ScalarEngine();
  const auto expect_named = [&](Filter& into, const Filter& from) {
    ExpectRefused([&] { engine.Merge(into, from); },
                  {std::to_string(into.spec().blocks) + " blocks",
                   std::to_string(from.spec().blocks) + " blocks"});
  };
  expect_named(small, large);
  expect_named(even, odd);
}

}  // namespace
}  // namespace tamis
