#include "parquet_verbs.h"

#include <fmt/format.h>

#include <memory>
#include <set>
#include <vector>

#include "format.h"
#include "json.h"
#include "key_form.h"
#include "output.h"
#include "records.h"
#include "tamis/engine.h"
#include "tamis/parquet.h"

namespace tamis::command {

namespace {

// A column's filters by row group; null for those that have none, which may hold anything.
struct Column {
  ParquetType type{};
  std::vector<std::unique_ptr<Filter>> filters;
};

Column LoadColumn(const std::string& path, const std::string& name) {
  const ParquetFilters found = ListParquetFilters(path);
  Column column;
  column.filters.resize(found.row_groups);
  bool any = false;
  std::set<std::string> others;
  for (const ParquetFilter& place : found.filters) {
    others.insert(OneLine(place.column));
    if (place.column != name) continue;
    any = true;
    column.type = place.type;
    column.filters[place.row_group] = std::make_unique<Filter>(ReadParquetFilter(path, place));
  }
  if (any) return column;
  throw InvalidArgument(
      fmt::format("{}: column '{}' has no Bloom filter: those that have one: {}", path, name,
                  others.empty() ? "none" : fmt::format("{}", fmt::join(others, ", "))));
}

// Answers of every row group for one chunk.
class GroupAnswers {
 public:
  explicit GroupAnswers(const Column& column) : column_(column), answers_(column.filters.size()) {}

  void Ask(const Engine& engine, const Keys& keys) {
    for (size_t group = 0; group < answers_.size(); ++group) {
      answers_[group].resize(AnswerBytes(keys.size()));
      if (column_.filters[group] != nullptr) {
        engine.Contains(*column_.filters[group], keys, answers_[group]);
      } else {
        FillAnswers(answers_[group].data(), keys.size(), true);
      }
    }
  }
  /// The numbers of the row groups that may hold key i: "0,2".
  std::string Of(uint64_t i) const {
    std::string held;
    for (size_t group = 0; group < answers_.size(); ++group) {
      if (!AnswerAt(answers_[group].data(), i)) continue;
      held += fmt::format("{}{}", held.empty() ? "" : ",", group);
    }
    return held;
  }

 private:
  const Column& column_;
  std::vector<std::vector<uint8_t>> answers_;
};

}  // namespace

std::string ParquetText(const std::string& path, bool json) {
  Json object;
  object.BeginObject().Member("file", std::string_view(path));
  object.Key("parquet_filters").BeginArray();
  std::string text =
      fmt::format("file           {}\n{:<24} {:<20} {:>9} {:>12} {:>12} {:>9} {:>7}\n",
                  OneLine(path), "column", "type", "row group", "rows", "bytes", "rate", "fill %");
  for (const ParquetFilter& place : ListParquetFilters(path).filters) {
    const Filter filter = ReadParquetFilter(path, place);
    const double rate = filter.ObservedFpr();
    const double fill = filter.Fill();
    text +=
        fmt::format("{:<24} {:<20} {:>9} {:>12} {:>12} {:>9.3g} {:>7.2f}\n", OneLine(place.column),
                    NameOf(place.type), place.row_group, place.rows, place.bytes, rate, 100 * fill);
    object.BeginObject();
    object.Member("column", std::string_view(place.column));
    object.Member("type", NameOf(place.type));
    object.Member("row_group", place.row_group);
    object.Member("rows", place.rows);
    object.Member("offset", place.offset);
    object.Member("bytes", place.bytes);
    object.Member("observed_fpr", rate);
    object.Member("fill", fill);
    object.EndObject();
  }
  object.EndArray().EndObject();
  return json ? object.Text() : text;
}

int QueryParquet(const std::string& path, const std::string& column, Input& input,
                 ParquetAnswer answer, bool invert) {
  const Column loaded = LoadColumn(path, column);
  const KeyForm form = KeyFormOf(loaded.type);
  const Engine engine;
  Output out("-", input.format().end());
  if (answer == ParquetAnswer::kRowGroups) RequireNoInput(out, input);
  GroupAnswers answers(loaded);
  FormedKeys formed;
  Chunk chunk;
  uint64_t selected = 0;
  while (input.Next(chunk)) {
    answers.Ask(engine, formed.Make(chunk, input.format(), form));
    for (uint64_t i = 0; i < chunk.records; ++i) {
      const std::string held = answers.Of(i);
      if (held.empty() != invert) continue;
      ++selected;
      if (answer != ParquetAnswer::kRowGroups) continue;
      out.Append(RecordAt(chunk, i));
      if (!invert) out.Append("\t" + held);
      out.Append(input.format().end());
    }
    if (answer == ParquetAnswer::kQuiet && selected > 0) break;
  }
  if (answer == ParquetAnswer::kCount) out.Append(fmt::format("{}\n", selected));
  out.Commit(Durability::kRenamed);
  return selected > 0 ? 0 : 1;
}

}  // namespace tamis::command
