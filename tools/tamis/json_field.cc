#include "json_field.h"

#include <simdjson.h>

#include <charconv>
#include <optional>
#include <utility>

#include "chunk.h"

namespace tamis::command {

namespace {

namespace ondemand = simdjson::ondemand;

static_assert(kTextPadding >= simdjson::SIMDJSON_PADDING);

// One a thread: its memory grows to what the longest record needs, and stays.
ondemand::parser& Parser() {
  static thread_local ondemand::parser parser;
  return parser;
}

std::optional<size_t> AsIndex(const std::string& step) {
  size_t index = 0;
  const auto [rest, error] = std::from_chars(step.data(), step.data() + step.size(), index);
  if (error != std::errc() || rest != step.data() + step.size()) return std::nullopt;
  return index;
}

// One step down from a document or a value.
template <typename From>
simdjson::error_code Descend(From& from, const std::string& step, ondemand::value& to) {
  ondemand::json_type type = ondemand::json_type::null;
  if (const auto error = from.type().get(type)) return error;
  if (type == ondemand::json_type::object) return from.find_field_unordered(step).get(to);
  if (type != ondemand::json_type::array) return simdjson::INCORRECT_TYPE;
  const std::optional<size_t> index = AsIndex(step);
  if (!index) return simdjson::NO_SUCH_FIELD;
  ondemand::array array;
  if (const auto error = from.get_array().get(array)) return error;
  return array.at(*index).get(to);
}

simdjson::error_code Find(std::string_view record, const JsonPath& path,
                          ondemand::document& document, ondemand::value& value) {
  const auto padded = record.size() + kTextPadding;
  if (const auto error = Parser().iterate(record.data(), record.size(), padded).get(document)) {
    return error;
  }
  if (const auto error = Descend(document, path.steps().front(), value)) return error;
  for (size_t i = 1; i < path.steps().size(); ++i) {
    ondemand::value next;
    if (const auto error = Descend(value, path.steps()[i], next)) return error;
    value = next;
  }
  return simdjson::SUCCESS;
}

std::string_view What(simdjson::error_code error) {
  switch (error) {
    case simdjson::NO_SUCH_FIELD:
    case simdjson::INDEX_OUT_OF_BOUNDS:
      return "the field is missing";
    case simdjson::INCORRECT_TYPE:
      return "it is no object there";
    case simdjson::UTF8_ERROR:
      return "it is no valid UTF-8";
    default:
      return "it is no valid JSON";
  }
}

std::string_view Trimmed(std::string_view token) {
  const size_t last = token.find_last_not_of(" \t\r\n");
  return token.substr(0, last + 1);
}

// The text of a string. Most have no escapes, and then it lies between the quotes.
simdjson::error_code GetText(ondemand::value& value, std::string_view& text) {
  const std::string_view token = Trimmed(value.raw_json_token());
  if (token.size() < 2 || token.back() != '"') return simdjson::STRING_ERROR;
  if (token.find('\\') != std::string_view::npos) return value.get_string().get(text);
  text = token.substr(1, token.size() - 2);
  return simdjson::SUCCESS;
}

template <typename Container>
simdjson::error_code GetRaw(simdjson::simdjson_result<Container> found, std::string_view& text) {
  Container container;
  if (const auto error = std::move(found).get(container)) return error;
  return container.raw_json().get(text);
}

simdjson::error_code Append(ondemand::value& value, ondemand::json_type type, std::string& text) {
  std::string_view found;
  simdjson::error_code error = simdjson::SUCCESS;
  switch (type) {
    case ondemand::json_type::string:
      error = GetText(value, found);
      break;
    case ondemand::json_type::object:
      error = GetRaw(value.get_object(), found);
      break;
    case ondemand::json_type::array:
      error = GetRaw(value.get_array(), found);
      break;
    case ondemand::json_type::number: {
      double number = 0;  // says whether it is one
      found = Trimmed(value.raw_json_token());
      error = value.get_double().get(number);
      break;
    }
    default: {
      bool truth = false;
      found = Trimmed(value.raw_json_token());
      error = value.get_bool().get(truth);
    }
  }
  if (error == simdjson::SUCCESS) text += found;
  return error;
}

}  // namespace

void RequireJson() {}

std::string_view AppendJsonField(std::string_view record, const JsonPath& path, std::string& text) {
  ondemand::document document;
  ondemand::value value;
  ondemand::json_type type = ondemand::json_type::null;
  simdjson::error_code error = Find(record, path, document, value);
  if (error == simdjson::SUCCESS) error = value.type().get(type);
  if (error != simdjson::SUCCESS) return What(error);
  if (type == ondemand::json_type::null) return "the field is null";
  error = Append(value, type, text);
  return error == simdjson::SUCCESS ? "" : What(error);
}

std::string_view FindJsonString(std::string_view record, const JsonPath& path, JsonString& string) {
  ondemand::document document;
  ondemand::value value;
  ondemand::json_type type = ondemand::json_type::null;
  simdjson::error_code error = Find(record, path, document, value);
  if (error == simdjson::SUCCESS) error = value.type().get(type);
  if (error == simdjson::SUCCESS && type != ondemand::json_type::string) {
    return "the field is no string";
  }
  if (error == simdjson::SUCCESS) {
    const std::string_view token = Trimmed(value.raw_json_token());
    error = GetText(value, string.text);
    if (error == simdjson::SUCCESS) string.raw = token.substr(1, token.size() - 2);
  }
  return error == simdjson::SUCCESS ? "" : What(error);
}

}  // namespace tamis::command
