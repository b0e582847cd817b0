// Hash schemes against values that other implementations made (golden/hashes), and what is refused:
// seeds and secrets that do not go with a scheme, files without their secret.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "file_test_helpers.h"
#include "samples.h"
#include "tamis/file.h"
#include "tamis/schemes.h"

namespace tamis {
namespace {

using testing::ReadFile;
using testing::TempDir;

constexpr std::string_view kSecretBytes = "0123456789abcdef";

// The key of a line of golden/hashes/hashes.txt.
std::string GoldenKey(size_t length) {
  std::string key(length, '\0');
  for (size_t i = 0; i < length; ++i) key[i] = static_cast<char>(255 - i * 7 % 160);
  return key;
}

HashSeed SeedOf(const std::string& text) {
  if (text.size() < 32) return {.seed = std::stoull(text, nullptr, 16)};
  std::string bytes;
  for (size_t i = 0; i < text.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
  }
  const Secret secret = Secret::FromBytes(bytes);
  return {.secret = {secret.words[0], secret.words[1]}};
}

TEST(HashSchemes, F13_AgreeWithOtherImplementationsAtLengths0To300) {
  std::ifstream lines(TAMIS_GOLDEN_DIR "/hashes/hashes.txt");
  std::string scheme;
  std::string seed;
  std::string one;
  std::string low;
  std::string high;
  size_t length = 0;
  int compared = 0;
  while (lines >> scheme >> seed >> length >> one >> low >> high) {
    SCOPED_TRACE(::testing::Message() << scheme << " of " << length << " bytes, seed " << seed);
    VisitHash(HashFromName(scheme), [&]<class H>(H) {
      uint64_t hash[2] = {};
      H::Of(GoldenKey(length), SeedOf(seed), 1, hash);
      EXPECT_EQ(hash[0], std::stoull(one, nullptr, 16));
      if (low == "-") return;
      H::Of(GoldenKey(length), SeedOf(seed), 2, hash);
      EXPECT_EQ(hash[0], std::stoull(low, nullptr, 16));
      EXPECT_EQ(hash[1], std::stoull(high, nullptr, 16));
    });
    ++compared;
  }
  EXPECT_EQ(compared, 7 * 301);
}

// What batches use for integers, in plain numbers; the conformance suite has it in lanes.
TEST(HashSchemes, KeysOf8BytesHashAsTheirBytes) {
  HashSchemes::ForEach([]<class H>(H) {
    SCOPED_TRACE(H::kName);
    const HashSeed seed{.seed = H::kSeeded ? 0x12345678U : 0, .secret = {7, 9}};
    for (const uint64_t key : DistinctKeys(300, 1)) {
      const std::string_view bytes(reinterpret_cast<const char*>(&key), sizeof key);
      for (int words = 1; words <= H::kWords; ++words) {
        uint64_t right[kMaxHashWords] = {};
        uint64_t got[kMaxHashWords] = {};
        H::Of(bytes, seed, words, right);
        H::Of8(key, seed, words, got);
        for (int i = 0; i < words; ++i) ASSERT_EQ(got[i], right[i]) << "word " << i;
      }
    }
  });
}

TEST(HashSchemes, NamesAndIdsAreFixed) {
  EXPECT_EQ(NameOf(HashScheme::kXxh64), "xxh64");
  EXPECT_EQ(NameOf(HashScheme::kXxh3), "xxh3");
  EXPECT_EQ(NameOf(HashScheme::kMurmur3X64128), "murmur3_x64_128");
  EXPECT_EQ(NameOf(HashScheme::kFnv1a64), "fnv1a_64");
  EXPECT_EQ(NameOf(HashScheme::kSipHash24), "siphash_2_4");
  EXPECT_EQ(NameOf(HashScheme::kPrehashed), "prehashed");
  EXPECT_EQ(NameOf(ProbeScheme::kEnhancedDouble), "enhanced_double");
  ExpectNames(RefusalOf<InvalidArgument>([] { HashFromName("md5"); }), {"'md5'", "xxh64", "xxh3"});
  std::vector<uint32_t> ids;
  HashSchemes::ForEach([&]<class H>(H) {
    EXPECT_EQ(std::ranges::count(ids, H::kId), 0) << H::kName;
    ids.push_back(H::kId);
  });
}

TEST(HashSchemes, SeedsAndSecretsThatDoNotGoWithASchemeAreRefused) {
  const auto refused = [](const PlanOptions& options, const std::vector<std::string>& names) {
    ExpectNames(RefusalOf<InvalidArgument>([&] { PlanFor(1000, 0.01, options); }), names);
  };
  refused({.seed = 5, .hash = HashScheme::kFnv1a64}, {"seed 5", "fnv1a_64"});
  refused({.seed = 5, .hash = HashScheme::kPrehashed}, {"seed 5", "prehashed"});
  refused({.seed = uint64_t{1} << 32, .hash = HashScheme::kMurmur3X64128}, {"4294967296"});
  refused({.hash = HashScheme::kSipHash24}, {"siphash_2_4", "secret key"});
  refused({.secret = Secret::FromBytes(kSecretBytes)}, {"xxh64", "secret key"});
  refused({.interop = true, .hash = HashScheme::kXxh3}, {"xxh3"});
  ExpectNames(RefusalOf<InvalidArgument>([] { Secret::FromBytes("short"); }), {"5 bytes", "16"});
}

TEST(HashSchemes, PrehashedTakesHashesAndNothingElse) {
  Engine engine;
  for (const Variant variant : AllVariants()) {
    Filter filter(PlanFor(1000, 0.01, {.variant = variant, .hash = HashScheme::kPrehashed}));
    const std::vector<uint64_t> keys = DistinctKeys(100, 2);
    engine.Insert(filter, Keys::U64(keys));
    EXPECT_EQ(engine.Contains(filter, Keys::U64(keys)), keys.size());
    EXPECT_TRUE(engine.ContainsOne(filter, keys[0]));
    const std::string_view text = "no hash";
    ExpectNames(RefusalOf<InvalidArgument>([&] {
                  engine.Insert(filter, Keys::Views({&text, 1}));
                }),
                {"8 or 16 bytes"});
    ExpectNames(RefusalOf<InvalidArgument>([&] { engine.ContainsOne(filter, text); }),
                {"8 or 16 bytes", "not 7"});
  }
}

Filter Keyed(std::string_view secret) {
  const PlanOptions options{.hash = HashScheme::kSipHash24, .secret = Secret::FromBytes(secret)};
  Filter filter(PlanFor(1000, 0.01, options));
  Engine engine;
  engine.Insert(filter, Keys::U64(DistinctKeys(500, 3)));
  return filter;
}

TEST(Secrets, AFileHoldsACheckValueAndOpensWithTheSecretOnly) {
  const TempDir dir;
  const std::string path = dir / "keyed";
  const Filter filter = Keyed(kSecretBytes);
  Save(filter, path);
  const std::string file = ReadFile(path);
  EXPECT_EQ(file.find(kSecretBytes), std::string::npos);
  EXPECT_EQ(file.find(kSecretBytes.substr(0, 8)), std::string::npos);
  const Secret secret = Secret::FromBytes(kSecretBytes);
  const Filter loaded = LoadFilter(path, LoadMode::kRead, secret);
  EXPECT_EQ(loaded.plan(), filter.plan());
  EXPECT_EQ(Engine().Contains(loaded, Keys::U64(DistinctKeys(500, 3))), 500U);
  const Secret other = Secret::FromBytes("0123456789abcdeg");
  for (const LoadMode mode : {LoadMode::kRead, LoadMode::kMap}) {
    testing::ExpectRefused([&] { Load(path, mode); }, {path, "siphash_2_4", "none was given"});
    testing::ExpectRefused([&] { Load(path, mode, other); }, {path, "another secret key"});
  }
  VerifyFile(path);  // which needs no secret
  // Whoever brings one to a filter without gets that filter.
  Save(Filter(PlanFor(10, 0.01)), path);
  EXPECT_EQ(LoadFilter(path, LoadMode::kRead, secret).spec().secret, Secret{});
}

TEST(Secrets, AScalableFilterGrowsUnderItsSecret) {
  const TempDir dir;
  const PlanOptions options{.hash = HashScheme::kSipHash24,
                            .secret = Secret::FromBytes(kSecretBytes)};
  ScalableFilter filter(100, 0.01, options);
  Engine engine;
  engine.Insert(filter, Keys::U64(DistinctKeys(1000, 4)));
  Save(filter, dir / "family");
  ScalableFilter loaded = LoadScalable(dir / "family", LoadMode::kRead, options.secret);
  engine.Insert(loaded, Keys::U64(DistinctKeys(5000, 5)));
  EXPECT_EQ(engine.Contains(loaded, Keys::U64(DistinctKeys(1000, 4))), 1000U);
  EXPECT_GT(loaded.layers().size(), filter.layers().size());
  testing::ExpectRefused([&] { Load(dir / "family"); }, {"none was given"});
}

TEST(Secrets, NoMessageTellsOne) {
  const Filter a = Keyed(kSecretBytes);
  Filter b = Keyed("fedcba9876543210");
  const std::string message = RefusalOf<SpecMismatch>([&] { Engine().Merge(b, a); });
  ExpectNames(message, {"secret keys differ"});
  EXPECT_EQ(message.find(std::to_string(a.spec().secret.words[0])), std::string::npos);
  EXPECT_EQ(message.find("0123456789"), std::string::npos);
}

}  // namespace
}  // namespace tamis
