#include "key_form.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <cstring>
#include <type_traits>

#include "format.h"
#include "records.h"
#include "tamis/error.h"

namespace tamis::command {

namespace {

struct Named {
  std::string_view name;
  KeyForm form;
};
constexpr std::array kForms = {
    Named{"bytes", KeyForm::kBytes}, Named{"utf-16", KeyForm::kUtf16},
    Named{"int", KeyForm::kInt32},   Named{"long", KeyForm::kInt64},
    Named{"float", KeyForm::kFloat}, Named{"double", KeyForm::kDouble},
};

template <typename T>
bool Parse(std::string_view text, T& value) {
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && rest == text.data() + text.size() && !text.empty();
}

template <typename T>
void AppendBytes(T value, std::string& bytes) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

// A signed number, or an unsigned one that is the same bits.
template <typename Signed>
bool AppendInteger(std::string_view text, std::string& bytes) {
  Signed value = 0;
  std::make_unsigned_t<Signed> other = 0;
  if (Parse(text, value)) {
    AppendBytes(value, bytes);
    return true;
  }
  if (!Parse(text, other)) return false;
  AppendBytes(other, bytes);
  return true;
}

template <typename T>
bool AppendFloating(std::string_view text, std::string& bytes) {
  T value = 0;
  if (!Parse(text, value)) return false;
  AppendBytes(value, bytes);
  return true;
}

constexpr uint32_t kNoCharacter = UINT32_MAX;

// The next character of UTF-8, which `text` then begins behind; kNoCharacter if it is not valid.
uint32_t TakeCharacter(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  const int more = first < 0x80   ? 0
                   : first < 0xc2 ? -1
                   : first < 0xe0 ? 1
                   : first < 0xf0 ? 2
                   : first < 0xf5 ? 3
                                  : -1;
  if (more < 0 || text.size() <= static_cast<size_t>(more)) return kNoCharacter;
  uint32_t point = more == 0 ? first : first & (0x3fU >> more);
  for (int i = 1; i <= more; ++i) {
    const auto next = static_cast<unsigned char>(text[static_cast<size_t>(i)]);
    if ((next & 0xc0U) != 0x80) return kNoCharacter;
    point = point << 6 | (next & 0x3fU);
  }
  constexpr std::array<uint32_t, 4> kLeast = {0, 0x80, 0x800, 0x10000};
  if (point < kLeast.at(static_cast<size_t>(more)) || point > 0x10ffff ||
      (point >= 0xd800 && point < 0xe000)) {
    return kNoCharacter;
  }
  text.remove_prefix(static_cast<size_t>(more) + 1);
  return point;
}

bool AppendUtf16(std::string_view text, std::string& bytes) {
  while (!text.empty()) {
    const uint32_t point = TakeCharacter(text);
    if (point == kNoCharacter) return false;
    if (point < 0x10000) {
      AppendBytes(static_cast<uint16_t>(point), bytes);
    } else {
      AppendBytes(static_cast<uint16_t>(0xd800 + ((point - 0x10000) >> 10)), bytes);
      AppendBytes(static_cast<uint16_t>(0xdc00 + ((point - 0x10000) & 0x3ff)), bytes);
    }
  }
  return true;
}

}  // namespace

KeyForm KeyFormFromName(std::string_view name) {
  std::string valid;
  for (const Named& named : kForms) {
    if (named.name == name) return named.form;
    if (!valid.empty()) valid += ", ";
    valid += named.name;
  }
  throw InvalidArgument(fmt::format("--keys {}: valid are {}", name, valid));
}

KeyForm KeyFormOf(ParquetType type) {
  switch (type) {
    case ParquetType::kInt32:
      return KeyForm::kInt32;
    case ParquetType::kInt64:
      return KeyForm::kInt64;
    case ParquetType::kFloat:
      return KeyForm::kFloat;
    case ParquetType::kDouble:
      return KeyForm::kDouble;
    case ParquetType::kByteArray:
    case ParquetType::kFixedLenByteArray:
      return KeyForm::kBytes;
    case ParquetType::kBoolean:
    case ParquetType::kInt96:
      break;
  }
  throw InvalidArgument(
      fmt::format("a column of type {} cannot be asked by lines of text", NameOf(type)));
}

void AddKeyForm(CLI::App& app, KeyForm& form) {
  app.add_option_function<std::string>(
         "--keys", [&form](const std::string& name) { form = KeyFormFromName(name); },
         "What a key's text is to the filter: bytes (default), utf-16, int, long, float\n"
         "or double, as programs in other languages put them in")
      ->option_text("FORM");
}

std::string_view AppendFormed(KeyForm form, std::string_view text, std::string& bytes) {
  const auto told = [](bool right, std::string_view wrong) {
    return right ? std::string_view() : wrong;
  };
  switch (form) {
    case KeyForm::kBytes:
      bytes += text;
      break;
    case KeyForm::kUtf16:
      return told(AppendUtf16(text, bytes), "it is not UTF-8");
    case KeyForm::kInt32:
      return told(AppendInteger<int32_t>(text, bytes), "it is no whole number of 32 bits");
    case KeyForm::kInt64:
      return told(AppendInteger<int64_t>(text, bytes), "it is no whole number of 64 bits");
    case KeyForm::kFloat:
      return told(AppendFloating<float>(text, bytes), "it is no number");
    case KeyForm::kDouble:
      return told(AppendFloating<double>(text, bytes), "it is no number");
  }
  return {};
}

Keys FormedKeys::Make(Chunk& chunk, const RecordFormat& format, KeyForm form) {
  constexpr size_t kShown = 80;
  FindRecords(chunk, format);
  chunk.keys = chunk.records;
  chunk.bad.Clear();
  bytes_.clear();
  offsets_.assign(1, 0);
  for (uint64_t i = 0; i < chunk.records; ++i) {
    const std::string_view record = RecordAt(chunk, i);
    const std::string_view wrong = AppendFormed(form, record, bytes_);
    if (!wrong.empty()) {
      throw InvalidArgument(fmt::format("line '{}{}': {}", OneLine(record.substr(0, kShown)),
                                        record.size() > kShown ? "..." : "", wrong));
    }
    offsets_.push_back(bytes_.size());
  }
  return Keys::Strings(std::span<const uint64_t>(offsets_), bytes_.data());
}

}  // namespace tamis::command
