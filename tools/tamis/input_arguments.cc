#include "input_arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "chunk.h"
#include "format.h"
#include "tamis/error.h"

namespace tamis::command {

void InputArguments::AddTo(CLI::App& app) {
  app.add_option("FILE", files,
                 "Input, in this order; standard input if none is given or for -.\n"
                 "Compressed files (gzip, zstd, xz, bzip2) are known by their content")
      ->option_text(" ");
  app.add_flag("-0,--null", nul, "Records end in a NUL byte, not in a newline");
  app.add_option("--json-key", json,
                 "Records are JSON, one a line; their key is what is at PATH, such as\n"
                 "url, author.name or urls.0. Given several times: all of these together")
      ->option_text("PATH")
      ->allow_extra_args(false);
  app.add_option_function<std::string>(
         "--width",
         [this](const std::string& text) {
           const uint64_t bytes = ParseBytes("--width", text);
           if (bytes < 1 || bytes > kChunkBytes) {
             throw InvalidArgument(
                 fmt::format("--width {}: it must be 1 to {}", text, kChunkBytes));
           }
           width = static_cast<uint32_t>(bytes);
         },
         "Records are N bytes each, with nothing between them")
      ->option_text("N");
  app.add_flag("--hex", hex, "A record is its key in hexadecimal digits");
  app.add_option("--normalize", normalize,
                 "Make keys alike, with commas between: trim, lower, url\n"
                 "(RFC 3986), sort (a URL's parameters), tracking (drop utm_... and such).\n"
                 "Output keeps the record as it is")
      ->option_text("HOW");
  AddKeyForm(app, keys);
  app.add_option("--on-error", on_error,
                 "A record that no key can be made of: keep (default), drop or fail")
      ->option_text("WHAT");
}

void InputArguments::AddTablesTo(CLI::App& app) {
  app.add_option("--column", columns,
                 "Records are rows of a table; their key is the column of that name or\n"
                 "number. Given several times: all of these together")
      ->option_text("NAME|N")
      ->allow_extra_args(false);
  app.add_flag("--csv", csv,
               "A table with commas, which may be quoted (the default with --column)");
  app.add_flag("--tsv", tsv, "A table with tabs");
  app.add_flag("--header", header,
               "The table's first row names the columns (the default where --column does)");
}

KeyRule InputArguments::Rule() const {
  const bool table = csv || tsv || header || !columns.empty();
  const int formats = static_cast<int>(nul) + static_cast<int>(!json.empty()) +
                      static_cast<int>(table) + static_cast<int>(width.has_value()) +
                      static_cast<int>(hex);
  if (formats > 1 || (csv && tsv)) {
    throw InvalidArgument(
        "records are of one kind: --null, --json-key, a table (--csv or --tsv, --column, "
        "--header), --width or --hex");
  }
  KeyRule rule;
  if (nul) rule.format.delimiter = '\0';
  if (table) {
    rule.format.framing = RecordFormat::Framing::kTable;
    rule.format.separator = tsv ? '\t' : ',';
  }
  if (width) {
    rule.format.framing = RecordFormat::Framing::kFixed;
    rule.format.width = *width;
  }
  for (const std::string& path : json) rule.json.emplace_back(path);
  rule.columns = columns;
  rule.header = header;
  rule.hex = hex;
  rule.form = keys;
  if (!normalize.empty()) rule.normalization = Normalization::Parse(normalize);
  return rule;
}

void InputArguments::RequireLines(std::string_view option) const {
  const KeyRule rule = Rule();
  if (rule.whole() && rule.format.framing == RecordFormat::Framing::kDelimited) return;
  throw InvalidArgument(fmt::format("{} takes lines, or records that end in NUL", option));
}

OnError InputArguments::Policy() const {
  if (on_error == "keep") return OnError::kKeep;
  if (on_error == "drop") return OnError::kDrop;
  if (on_error == "fail") return OnError::kFail;
  throw InvalidArgument(fmt::format("--on-error {}: it must be keep, drop or fail", on_error));
}

}  // namespace tamis::command
