#include "key_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>
#include <utility>

#include "format.h"
#include "records.h"
#include "table.h"
#include "tamis/error.h"

namespace tamis::command {

namespace {

std::optional<size_t> AsNumber(const std::string& column) {
  size_t number = 0;
  const auto [rest, error] = std::from_chars(column.data(), column.data() + column.size(), number);
  if (error != std::errc() || rest != column.data() + column.size()) return std::nullopt;
  return number;
}

std::string_view AppendHex(std::string_view digits, std::string& text) {
  if (digits.size() % 2 != 0) return "it has an odd number of hexadecimal digits";
  for (size_t i = 0; i < digits.size(); i += 2) {
    unsigned byte = 0;
    const char* end = digits.data() + i + 2;
    if (std::from_chars(digits.data() + i, end, byte, 16).ptr != end) {
      return "it is not hexadecimal digits alone";
    }
    text += static_cast<char>(byte);
  }
  return {};
}

void PutLength(std::string& text, size_t at) {
  const uint64_t length = text.size() - at - sizeof length;
  for (size_t i = 0; i < sizeof length; ++i) text[at + i] = static_cast<char>(length >> (8 * i));
}

struct ParagraphKey {
  std::array<uint64_t, kMaxHashWords> hash;  // the rest of it 0
  std::string_view text;
  uint64_t paragraph;

  bool operator<(const ParagraphKey& other) const {
    return std::tie(hash, text, paragraph) < std::tie(other.hash, other.text, other.paragraph);
  }
};

// Leaves of the equal keys of one record only one.
void JoinEqualKeys(Chunk& chunk) {
  const auto words = static_cast<uint64_t>(chunk.hash_words);
  const Keys texts = chunk.texts.AsKeys();
  std::vector<ParagraphKey> keys;
  uint64_t joined = 0;
  chunk.joined.clear();
  for (uint64_t i = 0; i < chunk.records; ++i) {
    keys.clear();
    for (uint64_t p = chunk.first_paragraph[i]; p < chunk.first_paragraph[i + 1]; ++p) {
      const uint64_t key = chunk.paragraphs[p].key;
      if (key == Paragraph::kNoKey) continue;
      keys.push_back({.hash = {}, .text = texts[key], .paragraph = p});
      std::copy_n(&chunk.hashes[key * words], words, keys.back().hash.begin());
    }
    std::sort(keys.begin(), keys.end());
    for (size_t k = 0; k < keys.size(); ++k) {
      Paragraph& paragraph = chunk.paragraphs[keys[k].paragraph];
      if (k == 0 || keys[k].hash != keys[k - 1].hash || keys[k].text != keys[k - 1].text) {
        std::copy_n(keys[k].hash.begin(), words, &chunk.hashes[joined * words]);
        chunk.joined.push_back(paragraph.key);
        ++joined;
      }
      paragraph.key = joined - 1;
    }
  }
  chunk.keys = joined;
}

}  // namespace

KeyMaker::KeyMaker(KeyRule rule) : rule_(std::move(rule)) {
  if (!rule_.json.empty() || rule_.paragraphs) RequireJson();
  for (const std::string& column : rule_.columns) {
    const std::optional<size_t> number = AsNumber(column);
    if (number == 0) throw InvalidArgument("--column 0: columns are counted from 1");
    if (number) columns_.push_back(*number - 1);
    rule_.header = rule_.header || !number;
  }
}

void KeyMaker::TakeHeader(Chunk& chunk, const std::string& name) {
  chunk.header.clear();
  if (!rule_.header || chunk.file_offset != 0) return;
  const std::string_view text = chunk.text();
  size_t size = text.size();
  TableCursor().Scan(text, rule_.format, [&](size_t at, bool ends_record) {
    if (ends_record) size = at + 1;
    return !ends_record;
  });
  std::string header(text.substr(0, size));
  chunk.begin += size;
  chunk.file_offset += size;
  chunk.size -= size;
  if (!header.ends_with(rule_.format.delimiter)) header += rule_.format.delimiter;
  if (header_) {
    if (header == *header_) return;
    throw FileError(name + ": its header is not that of the first table");
  }
  header_ = chunk.header = header;
  header.pop_back();
  std::vector<std::string_view> cells;
  SplitFields(header, rule_.format, cells);
  columns_.clear();
  for (const std::string& column : rule_.columns) {
    size_t index = AsNumber(column).value_or(0) - 1;
    if (!AsNumber(column)) {
      const auto cell = std::ranges::find_if(cells, [&](std::string_view quoted) {
        std::string plain;
        return AppendField(quoted, plain) && plain == column;
      });
      index = static_cast<size_t>(cell - cells.begin());
    }
    if (index >= cells.size()) throw FileError(name + ": it has no column " + OneLine(column));
    columns_.push_back(index);
  }
}

// One of the fields that make a key, as it is before it is normalised.
std::string_view KeyMaker::AppendPart(std::string_view record, size_t field,
                                      const std::vector<std::string_view>& cells,
                                      std::string& text) const {
  if (!rule_.json.empty()) return AppendJsonField(record, rule_.json[field], text);
  if (!columns_.empty()) {
    if (columns_[field] >= cells.size()) return "the column is missing";
    return AppendField(cells[columns_[field]], text) ? ""
                                                     : "a quoted field goes on behind its quote";
  }
  if (rule_.hex) return AppendHex(record, text);
  text += record;
  return {};
}

std::string_view KeyMaker::AppendKey(std::string_view record, std::string& text) const {
  static thread_local std::vector<std::string_view> cells;
  if (!columns_.empty() && !SplitFields(record, rule_.format, cells))
    return "a quote is not closed";
  const size_t fields = std::max({rule_.json.size(), columns_.size(), size_t{1}});
  for (size_t i = 0; i < fields; ++i) {
    const size_t at = text.size();
    const size_t begin = at + (fields > 1 ? sizeof(uint64_t) : 0);
    text.resize(begin);
    const std::string_view wrong = AppendPart(record, i, cells, text);
    if (!wrong.empty()) return wrong;
    if (rule_.normalization.any()) Normalize(rule_.normalization, text, begin);
    if (rule_.form != KeyForm::kBytes) {
      const std::string plain = text.substr(begin);
      text.resize(begin);
      const std::string_view unlike = AppendFormed(rule_.form, plain, text);
      if (!unlike.empty()) return unlike;
    }
    if (fields > 1) PutLength(text, at);
  }
  return {};
}

void KeyMaker::HashWhole(Chunk& chunk, const Engine& engine, const Spec& spec) const {
  if (rule_.format.framing == RecordFormat::Framing::kFixed && chunk.unterminated) {
    chunk.bad.Add(chunk.records - 1, "the file ends within it");
  }
  chunk.keys = chunk.records - chunk.bad.indices.size();
  chunk.MakeHashes(spec.hash_words());
  if (chunk.oversize()) {
    const std::string_view record = RecordAt(chunk, 0);
    engine.Hash(spec, Keys::Views({&record, 1}), chunk.hashes);
  } else {
    const std::span<const uint32_t> offsets(chunk.offsets.data(), chunk.keys + 1);
    engine.Hash(spec, Keys::Strings(offsets, chunk.text().data(), chunk.gap), chunk.hashes);
  }
}

void KeyMaker::MakeKeys(Chunk& chunk) const {
  for (uint64_t i = 0; i < chunk.records; ++i) {
    const std::string_view wrong = AppendKey(RecordAt(chunk, i), chunk.texts.bytes);
    if (wrong.empty()) {
      chunk.texts.End();
    } else {
      chunk.texts.Undo();
      chunk.bad.Add(i, wrong);
    }
  }
}

std::string_view KeyMaker::AppendParagraphs(std::string_view record, Chunk& chunk) const {
  const ParagraphRule& rule = *rule_.paragraphs;
  JsonString string;
  const std::string_view wrong = FindJsonString(record, rule.field, string);
  if (!wrong.empty()) return wrong;
  const size_t first = chunk.paragraphs.size();
  CutParagraphs(string, static_cast<uint64_t>(string.raw.data() - record.data()), chunk.paragraphs);
  std::string& text = chunk.texts.bytes;
  for (Paragraph& paragraph : std::span(chunk.paragraphs).subspan(first)) {
    const size_t begin = text.size();
    text += string.text.substr(paragraph.begin, paragraph.bytes());
    Normalize(rule_.normalization, text, begin);
    const std::string_view key = std::string_view(text).substr(begin);
    if (key.size() < rule.min_bytes || CountWords(key) < rule.min_words) {
      chunk.texts.Undo();
    } else {
      paragraph.key = chunk.texts.ends.size() - 1;
      chunk.texts.End();
    }
  }
  return {};
}

void KeyMaker::MakeParagraphs(Chunk& chunk) const {
  chunk.paragraphs.clear();
  chunk.first_paragraph.assign(1, 0);
  for (uint64_t i = 0; i < chunk.records; ++i) {
    const std::string_view wrong = AppendParagraphs(RecordAt(chunk, i), chunk);
    if (!wrong.empty()) chunk.bad.Add(i, wrong);
    chunk.first_paragraph.push_back(chunk.paragraphs.size());
  }
}

void KeyMaker::Prepare(Chunk& chunk, const Engine& engine, const Spec& spec) const {
  FindRecords(chunk, rule_.format);
  chunk.bad.Clear();
  if (rule_.whole()) {
    HashWhole(chunk, engine, spec);
    return;
  }
  chunk.texts.Clear();
  if (rule_.paragraphs) {
    MakeParagraphs(chunk);
  } else {
    MakeKeys(chunk);
  }
  chunk.keys = chunk.texts.ends.size() - 1;
  chunk.MakeHashes(spec.hash_words());
  engine.Hash(spec, chunk.texts.AsKeys(), chunk.hashes);
  if (rule_.paragraphs) JoinEqualKeys(chunk);
}

std::string_view KeyMaker::KeyAt(const Chunk& chunk, uint64_t i) const {
  if (rule_.whole()) return RecordAt(chunk, i);
  return chunk.texts.AsKeys()[rule_.paragraphs ? chunk.joined[i] : i];
}

bool ReadRecords(Input& input, KeyMaker& maker, Chunk& chunk) {
  if (!input.Next(chunk)) return false;
  maker.TakeHeader(chunk, InputName(input.names()[chunk.file]));
  return true;
}

}  // namespace tamis::command
