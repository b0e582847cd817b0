// URLs by liburiparser, which knows the grammar and the syntax-based steps; what depends on the
// scheme, and parameters, are ours.

#include <uriparser/Uri.h>

#include <algorithm>
#include <array>
#include <vector>

#include "normalize.h"

namespace tamis::command {

namespace {

// Frees what a parse took.
class Uri {
 public:
  explicit Uri(const std::string& text) {
    const char* end = nullptr;
    parsed_ =
        uriParseSingleUriExA(&uri_, text.data(), text.data() + text.size(), &end) == URI_SUCCESS;
  }
  ~Uri() {
    if (parsed_) uriFreeUriMembersA(&uri_);
  }
  Uri(const Uri&) = delete;
  Uri& operator=(const Uri&) = delete;

  bool parsed() const { return parsed_; }
  UriUriA& operator*() { return uri_; }
  UriUriA* operator->() { return &uri_; }

 private:
  UriUriA uri_ = {};
  bool parsed_ = false;
};

std::string_view View(const UriTextRangeA& range) {
  return range.first == nullptr
             ? std::string_view()
             : std::string_view(range.first, static_cast<size_t>(range.afterLast - range.first));
}

struct Port {
  std::string_view scheme;
  std::string_view port;
};
constexpr std::array<Port, 5> kDefaultPorts = {
    {{"http", "80"}, {"https", "443"}, {"ftp", "21"}, {"ws", "80"}, {"wss", "443"}}};

// Parameters that tell where a reader came from, not what the page is; and any that begins so.
constexpr std::array<std::string_view, 12> kTracking = {"fbclid", "gclid",   "dclid",  "gbraid",
                                                        "wbraid", "msclkid", "yclid",  "twclid",
                                                        "igshid", "mc_cid",  "mc_eid", "_ga"};
constexpr std::string_view kTrackingPrefix = "utm_";

bool IsTracking(std::string_view parameter) {
  const std::string_view name = parameter.substr(0, parameter.find('='));
  return name.starts_with(kTrackingPrefix) || std::ranges::count(kTracking, name) > 0;
}

std::string Parameters(std::string_view query, const Normalization& how) {
  std::vector<std::string_view> parameters;
  for (size_t at = 0; at <= query.size();) {
    const size_t end = std::min(query.find('&', at), query.size());
    const std::string_view parameter = query.substr(at, end - at);
    if (!(how.tracking && IsTracking(parameter))) parameters.push_back(parameter);
    at = end + 1;
  }
  if (how.sort) std::ranges::stable_sort(parameters);
  std::string joined;
  for (const std::string_view& parameter : parameters) {
    if (&parameter != parameters.data()) joined += '&';
    joined += parameter;
  }
  return joined;
}

std::string Text(const UriUriA& uri) {
  int size = 0;
  uriToStringCharsRequiredA(&uri, &size);
  std::string text(static_cast<size_t>(size) + 1, '\0');
  if (uriToStringA(text.data(), &uri, size + 1, nullptr) != URI_SUCCESS) return {};
  text.resize(static_cast<size_t>(size));
  return text;
}

// Once through all the steps; empty if it is no absolute URI.
std::string Step(const std::string& text, const Normalization& how) {
  Uri uri(text);
  if (!uri.parsed() || uri->scheme.first == nullptr) return {};
  // Before the library makes copies, which it would then not free.
  std::string scheme(View(uri->scheme));
  LowerAscii(scheme, 0);
  const auto* known = std::ranges::find(kDefaultPorts, std::string_view(scheme), &Port::scheme);
  const std::string_view port = View(uri->portText);
  if (port.empty() || (known != kDefaultPorts.end() && port == known->port)) uri->portText = {};
  uri->fragment = {};
  if (uriNormalizeSyntaxA(&*uri) != URI_SUCCESS) return {};
  std::string made = Text(*uri);
  const size_t mark = made.find('?');
  std::string query = mark == std::string::npos ? "" : made.substr(mark);
  if (mark != std::string::npos) made.resize(mark);
  if (known != kDefaultPorts.end() && uri->pathHead == nullptr) {
    if (!made.ends_with('/')) made += '/';
  }
  if (!query.empty() && (how.sort || how.tracking)) {
    const std::string kept = Parameters(std::string_view(query).substr(1), how);
    query = kept.empty() ? "" : "?" + kept;
  }
  return made + query;
}

}  // namespace

// What resolving an encoding brings to light may be another one, or a dot segment; so until nothing
// changes, which also makes it idempotent.
std::string NormalizedUrl(std::string_view text, const Normalization& how) {
  constexpr int kMostSteps = 8;
  std::string current(text);
  for (int i = 0; i < kMostSteps; ++i) {
    std::string next = Step(current, how);
    if (next.empty()) break;
    if (next == current) return current;
    current = std::move(next);
  }
  return std::string(text);
}

}  // namespace tamis::command
