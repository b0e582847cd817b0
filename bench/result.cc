#include "bench/result.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "tamis/error.h"

namespace tamis::bench {

namespace {

using Json = nlohmann::ordered_json;

// Each calls field(name, member) for every member, so that writing and reading cannot differ.
template <typename Facts, typename F>
void ForFields(Facts& machine,
               F&& field) requires std::same_as<std::remove_const_t<Facts>, MachineFacts> {
  field("cpu", machine.cpu);
  field("cores", machine.cores);
  field("l1_bytes", machine.l1_bytes);
  field("l2_bytes", machine.l2_bytes);
  field("l3_bytes", machine.l3_bytes);
  field("memory_bytes", machine.memory_bytes);
  field("page_kinds", machine.page_kinds);
  field("compiler", machine.compiler);
  field("version", machine.version);
  field("date", machine.date);
  field("noise", machine.noise);
}

template <typename Row, typename F>
void ForFields(Row& row, F&& field) requires std::same_as<std::remove_const_t<Row>, LimitRow> {
  field("access", row.access);
  field("block_bytes", row.block_bytes);
  field("array_bytes", row.array_bytes);
  field("pages", row.pages);
  field("threads", row.threads);
  field("distance", row.distance);
  field("level", row.level);
  field("m_per_s", row.m_per_s);
}

template <typename Row, typename F>
void ForFields(Row& row, F&& field) requires std::same_as<std::remove_const_t<Row>, WorkRow> {
  field("system", row.system);
  field("backend", row.backend);
  field("target", row.target);
  field("threads", row.threads);
  field("op", row.op);
  field("variant", row.variant);
  field("key_kind", row.key_kind);
  field("filter_keys", row.filter_keys);
  field("bits_per_key", row.bits_per_key);
  field("hit_share", row.hit_share);
  field("batch", row.batch);
  field("pages", row.pages);
  field("mkeys_per_s", row.mkeys_per_s);
  field("fpr", row.fpr);
  field("fpr_theory", row.fpr_theory);
  field("limit_mkeys_per_s", row.limit_mkeys_per_s);
  field("limit_share", row.limit_share);
}

template <typename T>
Json ToJson(const T& item) {
  Json json;
  ForFields(item, [&](const char* name, const auto& member) { json[name] = member; });
  return json;
}

template <typename T>
Json ToJson(const std::vector<T>& items) {
  Json json = Json::array();
  for (const T& item : items) json.push_back(ToJson(item));
  return json;
}

template <typename T>
void FromJson(const Json& json, T& item) {
  ForFields(item, [&](const char* name, auto& member) { json.at(name).get_to(member); });
}

template <typename T>
void FromJson(const Json& json, std::vector<T>& items) {
  for (const Json& one : json) FromJson(one, items.emplace_back());
}

}  // namespace

void WriteResult(const Result& result, const std::string& path) {
  Json json;
  json["machine"] = ToJson(result.machine);
  json["limits"] = ToJson(result.limits);
  json["rows"] = ToJson(result.rows);
  std::ofstream file(path, std::ios::binary);
  // Whatever bytes the system gives as a processor's name, the file is valid.
  file << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
  file.close();
  if (!file) throw FileError(path + ": cannot be written");
}

Result ReadResult(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError(path + ": cannot be read");
  try {
    const Json json = Json::parse(file);
    Result result;
    FromJson(json.at("machine"), result.machine);
    FromJson(json.at("limits"), result.limits);
    FromJson(json.at("rows"), result.rows);
    return result;
  } catch (const Json::exception& error) {
    throw FileError(path + ": no result of tamis bench: " + error.what());
  }
}

}  // namespace tamis::bench
