#include <string>

#include "json_field.h"
#include "tamis/error.h"

namespace tamis::command {

JsonPath::JsonPath(std::string_view text) : text_(text) {
  std::string step;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || text[i] == '.') {
      if (step.empty()) {
        throw InvalidArgument("--json-key " + text_ +
                              ": a path is names and indices with dots between them");
      }
      steps_.push_back(std::move(step));
      step.clear();
    } else {
      if (text[i] == '\\' && i + 1 < text.size()) ++i;
      step += text[i];
    }
  }
}

#ifndef TAMIS_HAVE_JSON

void RequireJson() { throw InvalidArgument("JSON: this tamis was built without simdjson"); }

std::string_view AppendJsonField(std::string_view, const JsonPath&, std::string&) {
  return "this tamis was built without simdjson";
}

std::string_view FindJsonString(std::string_view, const JsonPath&, JsonString&) {
  return "this tamis was built without simdjson";
}

#endif

}  // namespace tamis::command
