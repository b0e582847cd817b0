// parse_field: what simdjson alone takes to find one field in every line of a file, on one thread:
// the limit that tamis dedup --json-key is measured against. Prints seconds, without those for
// reading the file, and the bytes that it found.

#include <simdjson.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string_view>

namespace {

int Run(const char* file, std::string_view field) {
  simdjson::padded_string text;
  if (simdjson::padded_string::load(file).get(text)) {
    std::fprintf(stderr, "parse_field: cannot read %s\n", file);
    return 2;
  }
  const auto start = std::chrono::steady_clock::now();
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document_stream documents;
  uint64_t bytes = 0;
  if (parser.iterate_many(text).get(documents)) return 2;
  for (auto document : documents) {
    std::string_view value;
    if (document[field].get_string().get(value)) {
      std::fprintf(stderr, "parse_field: a line without the field\n");
      return 1;
    }
    bytes += value.size();
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::printf("%.3f %llu\n", took.count(), static_cast<unsigned long long>(bytes));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "Usage: parse_field FILE FIELD\n");
    return 2;
  }
  return Run(argv[1], argv[2]);
}
