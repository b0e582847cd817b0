#include "key_form.h"

#include <fmt/format.h>

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

[[noreturn]] void Refuse(std::string_view record, std::string_view what) {
  constexpr size_t kShown = 80;
  throw InvalidArgument(fmt::format("line '{}{}' is no {}", OneLine(record.substr(0, kShown)),
                                    record.size() > kShown ? "..." : "", what));
}

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
void AppendInteger(std::string_view record, std::string_view what, std::string& bytes) {
  Signed value = 0;
  std::make_unsigned_t<Signed> other = 0;
  if (Parse(record, value)) {
    AppendBytes(value, bytes);
  } else if (Parse(record, other)) {
    AppendBytes(other, bytes);
  } else {
    Refuse(record, what);
  }
}

template <typename T>
void AppendFloating(std::string_view record, std::string& bytes) {
  T value = 0;
  if (!Parse(record, value)) Refuse(record, "number");
  AppendBytes(value, bytes);
}

// The next character of valid UTF-8, which `text` then begins behind.
uint32_t TakeCharacter(std::string_view& text, std::string_view record) {
  const auto first = static_cast<unsigned char>(text.front());
  const int more = first < 0x80   ? 0
                   : first < 0xc2 ? -1
                   : first < 0xe0 ? 1
                   : first < 0xf0 ? 2
                   : first < 0xf5 ? 3
                                  : -1;
  if (more < 0 || text.size() <= static_cast<size_t>(more)) Refuse(record, "UTF-8");
  uint32_t point = more == 0 ? first : first & (0x3fU >> more);
  for (int i = 1; i <= more; ++i) {
    const auto next = static_cast<unsigned char>(text[static_cast<size_t>(i)]);
    if ((next & 0xc0U) != 0x80) Refuse(record, "UTF-8");
    point = point << 6 | (next & 0x3fU);
  }
  constexpr std::array<uint32_t, 4> kLeast = {0, 0x80, 0x800, 0x10000};
  if (point < kLeast.at(static_cast<size_t>(more)) || point > 0x10ffff ||
      (point >= 0xd800 && point < 0xe000)) {
    Refuse(record, "UTF-8");
  }
  text.remove_prefix(static_cast<size_t>(more) + 1);
  return point;
}

void AppendUtf16(std::string_view record, std::string& bytes) {
  for (std::string_view rest = record; !rest.empty();) {
    const uint32_t point = TakeCharacter(rest, record);
    if (point < 0x10000) {
      AppendBytes(static_cast<uint16_t>(point), bytes);
    } else {
      AppendBytes(static_cast<uint16_t>(0xd800 + ((point - 0x10000) >> 10)), bytes);
      AppendBytes(static_cast<uint16_t>(0xdc00 + ((point - 0x10000) & 0x3ff)), bytes);
    }
  }
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
         "What a line is to the filter: bytes (default), utf-16, int, long, float\n"
         "or double")
      ->option_text("FORM");
}

void AppendKey(KeyForm form, std::string_view record, std::string& bytes) {
  switch (form) {
    case KeyForm::kBytes:
      bytes += record;
      return;
    case KeyForm::kUtf16:
      return AppendUtf16(record, bytes);
    case KeyForm::kInt32:
      return AppendInteger<int32_t>(record, "whole number of 32 bits", bytes);
    case KeyForm::kInt64:
      return AppendInteger<int64_t>(record, "whole number of 64 bits", bytes);
    case KeyForm::kFloat:
      return AppendFloating<float>(record, bytes);
    case KeyForm::kDouble:
      return AppendFloating<double>(record, bytes);
  }
}

void FormedKeys::Hash(Chunk& chunk, const RecordFormat& format, KeyForm form, const Engine& engine,
                      const Spec& spec) {
  const Keys keys = Make(chunk, format, form);
  chunk.hash_words = spec.hash_words();
  const uint64_t words = keys.size() * static_cast<uint64_t>(chunk.hash_words);
  if (chunk.hashes.size() < words) chunk.hashes.resize(words);
  engine.Hash(spec, keys, chunk.hashes);
}

Keys FormedKeys::Make(Chunk& chunk, const RecordFormat& format, KeyForm form) {
  FindRecords(chunk, format);
  chunk.keys = chunk.records;
  chunk.bad.Clear();
  bytes_.clear();
  offsets_.assign(1, 0);
  for (uint64_t i = 0; i < chunk.records; ++i) {
    AppendKey(form, RecordAt(chunk, i), bytes_);
    offsets_.push_back(bytes_.size());
  }
  return Keys::Strings(std::span<const uint64_t>(offsets_), bytes_.data());
}

}  // namespace tamis::command
