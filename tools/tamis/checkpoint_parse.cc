// Reads what checkpoint_state.cc writes, by simdjson.

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>

#include "checkpoint_state.h"
#include "format.h"
#include "tamis/error.h"

namespace tamis::command {

namespace {

namespace dom = simdjson::dom;

// An object, and how it is called in messages.
class Members {
 public:
  Members(dom::element object, std::string path) : object_(object), path_(std::move(path)) {}

  template <typename T>
  T Get(std::string_view key) const {
    T value;
    if (object_[key].get(value) != simdjson::SUCCESS) Refuse(key);
    return value;
  }
  // A whole number up to `most`.
  uint64_t Number(std::string_view key, uint64_t most = UINT64_MAX) const {
    const auto number = Get<uint64_t>(key);
    if (number > most) Refuse(key);
    return number;
  }
  // Finite and not below 0: there are no other numbers in a checkpoint.
  double Real(std::string_view key) const {
    const auto number = Get<double>(key);
    if (!(number >= 0)) Refuse(key);
    return number;
  }
  std::string Text(std::string_view key) const { return std::string(Get<std::string_view>(key)); }
  Members In(std::string_view key) const {
    return {Get<dom::element>(key), fmt::format("{}: {}", path_, key)};
  }
  bool Has(std::string_view key) const { return object_[key].error() == simdjson::SUCCESS; }
  std::vector<Members> List(std::string_view key) const {
    std::vector<Members> members;
    for (const dom::element item : Get<dom::array>(key)) {
      members.emplace_back(item, fmt::format("{}: {}[{}]", path_, key, members.size()));
    }
    return members;
  }
  std::vector<std::string> Texts(std::string_view key) const {
    std::vector<std::string> texts;
    for (const dom::element item : Get<dom::array>(key)) {
      std::string_view text;
      if (item.get(text) != simdjson::SUCCESS) Refuse(key);
      texts.emplace_back(text);
    }
    return texts;
  }
  [[noreturn]] void Refuse(std::string_view key) const {
    throw FileError(
        fmt::format("{}: {} is missing, or no such value as a checkpoint has", path_, key));
  }

 private:
  dom::element object_;
  std::string path_;
};

FileIdentity ReadFile(const Members& members) {
  return {.name = members.Text("name"),
          .size = members.Number("bytes"),
          .modified = members.Get<int64_t>("modified")};
}

DedupResult ReadCounts(const Members& members) {
  DedupResult result;
  result.lines = members.Number("lines");
  result.keys = members.Number("keys");
  result.fresh = members.Number("new", result.keys);
  result.bad = members.Number("errors", result.lines);
  result.dropped = members.Number("dropped", result.lines);
  result.bytes = members.Number("bytes");
  result.overfull = members.Get<bool>("plan_passed");
  result.seconds = members.Real("seconds");
  return result;
}

CheckpointState Read(const Members& members) {
  CheckpointState state;
  const auto* phase = std::ranges::find(kPhases, members.Text("phase"));
  if (phase == kPhases.end()) members.Refuse("phase");
  state.phase = static_cast<CheckpointState::Phase>(phase - kPhases.begin());
  state.generation = members.Number("generation");
  state.options = members.Texts("options");
  for (const Members& file : members.List("inputs")) state.inputs.push_back(ReadFile(file));
  if (members.Has("seen")) state.seen = ReadFile(members.In("seen"));
  state.partials = members.Texts("partials");
  for (const Members& output : members.List("outputs")) {
    state.outputs.push_back({output.Number("length", INT64_MAX), output.Get<bool>("owes_end")});
  }
  const Members position = members.In("position");
  state.position = {.file = position.Number("file", state.inputs.size()),
                    .offset = position.Number("offset", INT64_MAX)};
  if (state.position.file == state.inputs.size() && state.position.offset != 0) {
    position.Refuse("offset");
  }
  state.inserted = members.Number("inserted");
  state.result = ReadCounts(members.In("counts"));
  const Members loss = members.In("loss");
  state.loss = {.distinct = loss.Real("distinct"),
                .rate = loss.Real("rate"),
                .pending = loss.Real("pending"),
                .lost = loss.Real("lost")};
  state.exit_code = static_cast<int>(members.Number("exit_code", 1));
  return state;
}

}  // namespace

CheckpointState ParseState(std::string_view text, const std::string& path) {
  dom::parser parser;
  dom::element root;
  if (parser.parse(text.data(), text.size()).get(root) != simdjson::SUCCESS ||
      !ChecksumHolds(text)) {
    throw FileError(path + ": this is no whole checkpoint: it was damaged or changed");
  }
  const Members members(root, path);
  if (const uint64_t version = members.Number("tamis_checkpoint"); version != kCheckpointVersion) {
    throw FileError(fmt::format("{}: a checkpoint of version {}; this tamis knows version {}", path,
                                version, kCheckpointVersion));
  }
  return Read(members);
}

}  // namespace tamis::command
