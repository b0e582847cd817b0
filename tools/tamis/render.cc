#include "render.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "json.h"
#include "records.h"
#include "table.h"
#include "tamis/answers.h"
#include "tamis/error.h"

namespace tamis::command {

namespace {

std::string Quoted(const std::string& name) {
  std::string text = Json().Value(std::string_view(name)).Text();
  text.pop_back();  // the newline
  return text;
}

// Puts a member at the end of an object, if the record is one.
void AppendMember(std::string_view record, std::string_view key, std::string_view value,
                  std::string& out) {
  const size_t brace = record.find_last_not_of(" \t\r\n");
  if (brace == std::string_view::npos || record[brace] != '}') {
    out += record;
    return;
  }
  const size_t before = record.find_last_not_of(" \t\r\n", brace - 1);
  const bool empty = before != std::string_view::npos && record[before] == '{';
  fmt::format_to(std::back_inserter(out), "{}{}{}:{}{}", record.substr(0, brace), empty ? "" : ",",
                 key, value, record.substr(brace));
}

// Whether a paragraph came before its record did.
bool Repeated(const Chunk& chunk, const Paragraph& paragraph) {
  return paragraph.key != Paragraph::kNoKey && !AnswerAt(chunk.answers.data(), paragraph.key);
}

bool IsLastBare(const Chunk& chunk, uint64_t i) {
  return chunk.unterminated && i + 1 == chunk.records;
}

}  // namespace

Renderer::Renderer(RenderRule rule, const KeyRule& keys, OnError policy)
    : rule_(std::move(rule)),
      format_(keys.format),
      policy_(policy),
      paragraphs_(keys.paragraphs.has_value()),
      flag_key_(Quoted(rule_.flag)),
      annotate_key_(Quoted(rule_.annotate)) {
  const bool table = format_.framing == RecordFormat::Framing::kTable;
  if (!rule_.flag.empty() && (paragraphs_ || (keys.json.empty() && !table))) {
    throw InvalidArgument("--flag adds a field to JSON (--json-key) or a column to a table");
  }
  if ((!rule_.annotate.empty() || rule_.drop_share) && !paragraphs_) {
    throw InvalidArgument("--annotate and --drop-share go with --paragraphs");
  }
}

std::string Renderer::Header(const std::string& header) const {
  if (rule_.flag.empty() || header.empty()) return header;
  const size_t end = header.find_last_not_of("\r\n") + 1;
  return header.substr(0, end) + format_.separator + QuoteField(rule_.flag, format_) +
         header.substr(end);
}

void Renderer::AppendFlagged(std::string_view record, bool seen, std::string& out) const {
  const std::string_view value = seen ? "true" : "false";
  if (format_.framing != RecordFormat::Framing::kTable) {
    AppendMember(record, flag_key_, value, out);
    return;
  }
  const bool carriage = record.ends_with('\r');
  out += record.substr(0, record.size() - (carriage ? 1 : 0));
  out += format_.separator;
  out += value;
  if (carriage) out += '\r';
}

void Renderer::Flag(Chunk& chunk) const {
  size_t bad = 0;
  for (uint64_t i = 0; i < chunk.records; ++i) {
    const std::string_view record = RecordAt(chunk, i);
    if (bad < chunk.bad.indices.size() && chunk.bad.indices[bad] == i) {
      ++bad;  // who knows what it is: as it stands, or not at all
      if (policy_ == OnError::kDrop) continue;
      chunk.rendered += record;
    } else {
      AppendFlagged(record, !AnswerAt(chunk.kept.data(), i), chunk.rendered);
    }
    if (!IsLastBare(chunk, i)) chunk.rendered += format_.end();
  }
}

// Appends a record without its repeated paragraphs, or with their places. Returns false if too much
// of it is repeated.
bool Renderer::AppendDocument(const Chunk& chunk, uint64_t i, std::string& out) const {
  const std::string_view record = RecordAt(chunk, i);
  const std::span<const Paragraph> all(chunk.paragraphs.data() + chunk.first_paragraph[i],
                                       chunk.paragraphs.data() + chunk.first_paragraph[i + 1]);
  uint64_t bytes = 0;
  uint64_t repeated = 0;
  std::string ranges;
  for (const Paragraph& paragraph : all) {
    bytes += paragraph.bytes();
    if (!Repeated(chunk, paragraph)) continue;
    repeated += paragraph.bytes();
    fmt::format_to(std::back_inserter(ranges), "{}[{},{}]", ranges.empty() ? "" : ",",
                   paragraph.begin, paragraph.end);
  }
  if (rule_.drop_share &&
      static_cast<double>(repeated) > *rule_.drop_share * static_cast<double>(bytes)) {
    return false;
  }
  if (!rule_.annotate.empty()) {
    AppendMember(record, annotate_key_, "[" + ranges + "]", out);
    return true;
  }
  if (ranges.empty()) {
    out += record;
    return true;
  }
  out += record.substr(0, all.front().raw_begin);
  bool first = true;
  for (const Paragraph& paragraph : all) {
    if (Repeated(chunk, paragraph)) continue;
    if (!std::exchange(first, false)) out += "\\n";
    out += record.substr(paragraph.raw_begin, paragraph.raw_end - paragraph.raw_begin);
  }
  out += record.substr(all.back().raw_end);
  return true;
}

void Renderer::Paragraphs(Chunk& chunk) const {
  chunk.kept.assign(AnswerBytes(chunk.records), 0);
  chunk.others.assign(AnswerBytes(chunk.records), 0);
  size_t bad = 0;
  for (uint64_t i = 0; i < chunk.records; ++i) {
    if (bad < chunk.bad.indices.size() && chunk.bad.indices[bad] == i) {
      ++bad;
      if (policy_ == OnError::kDrop) continue;
      chunk.rendered += RecordAt(chunk, i);
    } else if (!AppendDocument(chunk, i, chunk.rendered)) {
      SetAnswer(chunk.others.data(), i, true);
      ++chunk.dropped;
      continue;
    }
    SetAnswer(chunk.kept.data(), i, true);
    if (!IsLastBare(chunk, i)) chunk.rendered += format_.end();
  }
}

void Renderer::Render(Chunk& chunk) const {
  chunk.rendered.clear();
  chunk.dropped = 0;
  if (paragraphs_) {
    Paragraphs(chunk);
  } else if (!rule_.flag.empty()) {
    Spread(chunk, policy_);
    Flag(chunk);
  } else if (!chunk.bad.empty()) {
    Spread(chunk, policy_);
  }
}

}  // namespace tamis::command
