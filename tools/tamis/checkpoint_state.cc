#include "checkpoint_state.h"

#include <fmt/format.h>

#include "json.h"
#include "json_field.h"
#include "tamis/hash.h"

namespace tamis::command {

namespace {

constexpr std::string_view kLastKey = ",\n  \"checksum\": \"";

std::string Checksum(std::string_view text) { return fmt::format("{:016x}", Xxh64(text, 0)); }

void Write(Json& json, const FileIdentity& file) {
  json.BeginObject();
  json.Member("name", std::string_view(file.name));
  json.Member("bytes", file.size);
  json.Member("modified", file.modified);
  json.EndObject();
}

void Write(Json& json, std::string_view key, const std::vector<std::string>& texts) {
  json.Key(key).BeginArray();
  for (const std::string& text : texts) json.Value(std::string_view(text));
  json.EndArray();
}

void WriteWork(Json& json, const CheckpointState& state) {
  Write(json, "options", state.options);
  json.Key("inputs").BeginArray();
  for (const FileIdentity& file : state.inputs) Write(json, file);
  json.EndArray();
  if (state.seen) Write(json.Key("seen"), *state.seen);
}

void WriteProgress(Json& json, const CheckpointState& state) {
  json.Key("position").BeginObject();
  json.Member("file", state.position.file);
  json.Member("offset", state.position.offset);
  json.EndObject();
  Write(json, "partials", state.partials);
  json.Key("outputs").BeginArray();
  for (const OutputMark& output : state.outputs) {
    json.BeginObject();
    json.Member("length", output.length);
    json.Member("owes_end", output.owes_end);
    json.EndObject();
  }
  json.EndArray();
  json.Member("inserted", state.inserted);
  json.Key("counts").BeginObject();
  WriteCounts(json, state.result);
  json.EndObject();
  json.Key("loss").BeginObject();
  json.Member("distinct", state.loss.distinct);
  json.Member("rate", state.loss.rate);
  json.Member("pending", state.loss.pending);
  json.Member("lost", state.loss.lost);
  json.EndObject();
  json.Member("exit_code", state.exit_code);
}

}  // namespace

std::string ToText(const CheckpointState& state) {
  Json json;
  json.BeginObject();
  json.Member("tamis_checkpoint", kCheckpointVersion);
  json.Member("tamis", TAMIS_VERSION);
  json.Member("phase", kPhases[static_cast<size_t>(state.phase)]);
  json.Member("generation", state.generation);
  WriteWork(json, state);
  WriteProgress(json, state);
  std::string so_far = json.Text();
  so_far.pop_back();  // the newline
  const std::string checksum = Checksum(so_far);
  json.Member("checksum", std::string_view(checksum));
  json.EndObject();
  return json.Text();
}

bool ChecksumHolds(std::string_view text) {
  const size_t end = text.rfind(kLastKey);
  if (end == std::string_view::npos) return false;
  return text.substr(end + kLastKey.size()).starts_with(Checksum(text.substr(0, end)) + '"');
}

#ifndef TAMIS_HAVE_JSON

CheckpointState ParseState(std::string_view, const std::string&) {
  RequireJson();
  return {};
}

#endif

}  // namespace tamis::command
