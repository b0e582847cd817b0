// Files for tests: folders that go away, and `.tamis` images made by hand from core/README.md.
#ifndef TAMIS_TESTS_FILE_TEST_HELPERS_H_
#define TAMIS_TESTS_FILE_TEST_HELPERS_H_

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/engine.h"
#include "tamis/file.h"
#include "tamis/hash.h"

namespace tamis::testing {

inline constexpr uint64_t kPage = 4096;

/// A new folder, removed with all in it at the end.
class TempDir {
 public:
  TempDir() : path_(::testing::TempDir() + "tamis_XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("cannot make " + path_);
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }
  /// Names of all that is in the folder, sorted.
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
  }

 private:
  std::string path_;
};

inline std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void WriteAt(const std::string& path, uint64_t offset, std::span<const std::byte> bytes) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  const auto written = pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
  EXPECT_EQ(written, static_cast<ssize_t>(bytes.size())) << path;
  close(fd);
}

inline void WriteByte(const std::string& path, uint64_t offset, int value) {
  const auto byte = static_cast<std::byte>(value);
  WriteAt(path, offset, {&byte, 1});
}

/// Writes in place. An older file must not be longer.
inline void WriteFile(const std::string& path, std::string_view bytes) {
  WriteAt(path, 0, std::as_bytes(std::span(bytes)));
}

/// The low `bytes` bytes of a number, as files of either byte order have them.
inline std::string LittleEndian(uint64_t value, size_t bytes) {
  return {reinterpret_cast<const char*>(&value), bytes};
}
inline std::string BigEndian(uint64_t value, size_t bytes) {
  std::string text = LittleEndian(value, bytes);
  std::ranges::reverse(text);
  return text;
}
inline std::string Double(double value) { return LittleEndian(std::bit_cast<uint64_t>(value), 8); }

template <typename T>
void Put(std::string& image, uint64_t offset, T value) {
  std::memcpy(image.data() + offset, &value, sizeof value);
}

/// Makes the checksum of the page at `page_at` right.
inline void Seal(std::string& image, uint64_t page_at) {
  Put(image, page_at + kPage - 8, Xxh64(std::string_view(image).substr(page_at, kPage - 8), 0));
}

inline void PutFilterPage(std::string& image, uint64_t at, const Plan& plan, uint64_t inserted,
                          uint64_t body_checksum) {
  image.replace(at, 8, "\x89tamis\r\n");
  Put(image, at + 8, uint32_t{1});
  Put(image, at + 12, uint32_t{1});
  Put(image, at + 16, static_cast<uint32_t>(plan.spec.variant));
  Put(image, at + 20, static_cast<uint32_t>(plan.spec.hash));
  Put(image, at + 24, plan.spec.seed);
  Put(image, at + 32, plan.spec.blocks);
  Put(image, at + 40, uint32_t{8});
  Put(image, at + 44, uint32_t{plan.spec.variant == Variant::kSplitBlock ? 32U : 64U});
  Put(image, at + 48, inserted);
  Put(image, at + 56, plan.capacity);
  Put(image, at + 64, plan.fpr);
  Put(image, at + 72, plan.spec.bytes());
  Put(image, at + 80, body_checksum);
  Seal(image, at);
}

/// Adds a filter's page, body and padding.
inline void AppendFilterImage(std::string& image, const Filter& filter) {
  const uint64_t at = image.size();
  const std::string_view body(reinterpret_cast<const char*>(filter.bytes().data()),
                              filter.bytes().size());
  image.append(kPage, '\0').append(body);
  image.append((kPage - body.size() % kPage) % kPage, '\0');
  PutFilterPage(image, at, filter.plan(), filter.inserted(), Xxh64(body, 0));
}

/// The bytes that Save should write.
inline std::string FilterImage(const Filter& filter) {
  std::string image;
  AppendFilterImage(image, filter);
  return image;
}

/// A family's first page, as far as all of them are alike.
inline std::string FamilyPage(uint32_t kind, const Spec& spec) {
  std::string image(kPage, '\0');
  image.replace(0, 8, "\x89tamis\r\n");
  Put(image, 8, uint32_t{1});
  Put(image, 12, kind);
  Put(image, 16, static_cast<uint32_t>(spec.variant));
  Put(image, 20, static_cast<uint32_t>(spec.hash));
  Put(image, 24, spec.seed);
  return image;
}

inline std::string FamilyImage(const ScalableFilter& family) {
  std::string image = FamilyPage(2, family.layers().front().spec());
  Put(image, 32, family.first_capacity());
  Put(image, 40, family.fpr());
  Put(image, 48, 0.5);
  Put(image, 56, uint64_t{2});
  Put(image, 64, static_cast<uint32_t>(family.layers().size()));
  Put(image, 68, uint32_t{family.options().interop});
  Seal(image, 0);
  for (const Filter& layer : family.layers()) AppendFilterImage(image, layer);
  return image;
}

inline std::string FamilyImage(const WindowedFilter& family) {
  std::string image = FamilyPage(3, family.plan().spec);
  Put(image, 32, family.window().period);
  Put(image, 40, family.window().capacity);
  Put(image, 48, family.fpr());
  Put(image, 56, family.current());
  Put(image, 64, family.window().generations);
  Put(image, 68, static_cast<uint32_t>(family.layers().size()));
  Put(image, 80, uint32_t{family.options().interop});
  for (size_t i = 0; i < family.numbers().size(); ++i) Put(image, 96 + 8 * i, family.numbers()[i]);
  Seal(image, 0);
  for (const Filter& layer : family.layers()) AppendFilterImage(image, layer);
  return image;
}

inline Engine ScalarEngine() { return Engine({.backend = "scalar", .target = "scalar"}); }

/// Integers 0 to count - 1, put in by InsertNew.
template <typename AnyKind>
AnyKind Holding(uint64_t count, AnyKind filter) {
  std::vector<uint64_t> keys(count);
  for (uint64_t i = 0; i < count; ++i) keys[i] = i;
  ScalarEngine().InsertNew(filter, Keys::U64(keys));
  return filter;
}

/// Five blocks and 30 keys; two layers and 30 keys; two generations of 15, numbers 1 and 3 of a
/// window of four.
inline Filter SmallFilter() {
  return Holding(30, Filter({.spec = {.blocks = 5}, .capacity = 40, .fpr = 0.25}));
}
inline ScalableFilter SmallScalable() { return Holding(30, ScalableFilter(20, 0.125)); }
inline WindowedFilter SmallWindowed() {
  WindowedFilter filter(Window::ByTime(400, 4, 80), 0.25);
  filter.AdvanceTo(100);
  filter = Holding(15, std::move(filter));
  filter.AdvanceTo(399);
  return Holding(30, std::move(filter));
}

/// What Save should write of each of them.
inline std::vector<std::string> SmallImages() {
  return {FilterImage(SmallFilter()), FamilyImage(SmallScalable()), FamilyImage(SmallWindowed())};
}

/// Expects `action` to throw an error of tamis in one line that has all of `parts`.
template <typename F>
void ExpectRefused(F&& action,
                   const std::vector<std::string>& parts) requires std::is_invocable_v<F> {
  try {
    action();
    ADD_FAILURE() << "not refused: expected an error with '" << parts.front() << "'";
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    for (const std::string& part : parts) {
      EXPECT_NE(message.find(part), std::string::npos) << "no '" << part << "' in: " << message;
    }
  }
}

/// Expects Load to refuse the file by a FileError that names it.
inline void ExpectRefused(const std::string& path, std::vector<std::string> parts) {
  parts.insert(parts.begin(), path + ": ");
  ExpectRefused([&] { Load(path); }, parts);
  EXPECT_THROW(Load(path), FileError);
}

}  // namespace tamis::testing

#endif  // TAMIS_TESTS_FILE_TEST_HELPERS_H_
