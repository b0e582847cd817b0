// The filters behind the golden `.tamis` files: fixed keys in fixed filters of every kind and every
// variant. write_golden writes the files from these, and F11 in file_test.cc holds the files in the
// tree to them, byte for byte.
#ifndef TAMIS_TESTS_GOLDEN_GOLDEN_FILTERS_H_
#define TAMIS_TESTS_GOLDEN_GOLDEN_FILTERS_H_

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tamis/engine.h"
#include "tamis/file.h"

namespace tamis::golden {

/// Keys that are put in; the questions are these and as many again and more, so that each filter
/// has a few false positives to agree on.
inline constexpr int kKeys = 160;
inline constexpr int kQuestions = 400;

inline std::vector<std::string> Names(int count) {
  std::vector<std::string> names;
  names.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) names.push_back("key-" + std::to_string(i));
  return names;
}

struct Golden {
  std::string name;  // of the file, less its ending
  AnyFilter filter;
};

/// Sizes of the single filters are given, not planned, so that no rounding can move them.
inline std::vector<Golden> Empty() {
  const Spec plain{.variant = Variant::kSplitBlock, .seed = 0, .blocks = 5};
  const Spec seeded{.variant = Variant::kSplitBlock512, .seed = 42, .blocks = 3};
  const Spec classic{.variant = Variant::kClassic,
                     .seed = 9,
                     .m = 1001,
                     .k = 5,
                     .probe = ProbeScheme::kEnhancedDouble};
  const Spec lines{.variant = Variant::kCacheLine, .blocks = 3, .k = 6};
  const Spec registers{.variant = Variant::kRegisterBlocked, .seed = 1, .blocks = 21, .k = 4};
  std::vector<Golden> all;
  all.push_back({"classic", Filter({.spec = classic, .capacity = kKeys, .fpr = 0.0625})});
  all.push_back({"cache_line", Filter({.spec = lines, .capacity = kKeys, .fpr = 0.0625})});
  all.push_back(
      {"register_blocked", Filter({.spec = registers, .capacity = kKeys, .fpr = 0.0625})});
  all.push_back({"split_block", Filter({.spec = plain, .capacity = kKeys, .fpr = 0.0625})});
  all.push_back({"split_block_512", Filter({.spec = seeded, .capacity = kKeys, .fpr = 0.03125})});
  all.push_back({"scalable", ScalableFilter(100, 0.0625)});
  all.push_back({"windowed", WindowedFilter(Window::ByCount(128, 2), 0.0625)});  // forgets 64 keys
  return all;
}

inline std::vector<Golden> Filled() {
  const std::vector<std::string> names = Names(kKeys);
  const std::vector<std::string_view> keys(names.begin(), names.end());
  Engine engine({.backend = "scalar", .target = "scalar"});
  std::vector<Golden> all = Empty();
  for (Golden& golden : all) {
    std::visit([&](auto& filter) { engine.InsertNew(filter, Keys::Views(keys)); }, golden.filter);
  }
  return all;
}

/// A line a question: 1 or 0, a space, the key.
inline std::string AnswersOf(const AnyFilter& any) {
  const Engine engine({.backend = "scalar", .target = "scalar"});
  std::string text;
  for (const std::string& name : Names(kQuestions)) {
    const std::string_view key = name;
    const uint64_t present = std::visit(
        [&](const auto& filter) {
          return engine.Contains(filter, Keys::Views({&key, 1}));
        },
        any);
    text += std::to_string(present) + " " + name + "\n";
  }
  return text;
}

}  // namespace tamis::golden

#endif  // TAMIS_TESTS_GOLDEN_GOLDEN_FILTERS_H_
