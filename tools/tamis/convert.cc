// tamis convert: a filter from one format into another, bits unchanged.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "arguments.h"
#include "command.h"
#include "families.h"
#include "output.h"
#include "tamis/formats.h"

namespace tamis::command {

namespace {

struct ConvertArguments {
  std::string input;
  std::string output;
  std::string to;
  std::string format;
  bool lossy = false;
};

int Run(const ConvertArguments& arguments) {
  const FilterFile file = LoadAny(arguments.input, arguments.format);
  const std::string loss = LossOf(file, arguments.to);
  if (!loss.empty() && !arguments.lossy) {
    throw InvalidArgument(
        fmt::format("{} has no place for {}: --lossy leaves that out", arguments.to, loss));
  }
  RequireWritable(arguments.output);
  SaveAs(file, arguments.output, arguments.to);
  fmt::print(stderr, "tamis convert: {} to {}: {}\n", file.format, arguments.to,
             Describe(file.filter));
  if (!loss.empty()) fmt::print(stderr, "tamis convert: left out: {}\n", loss);
  if (!file.counted) {
    fmt::print(stderr, "tamis convert: {} says no number of keys: about {} by the bits\n",
               file.format, Inserted(file.filter));
  }
  return 0;
}

}  // namespace

void AddConvert(CLI::App& app, Action& run) {
  const auto a = std::make_shared<ConvertArguments>();
  CLI::App* sub = app.add_subcommand("convert", "Write a filter in another system's format");
  sub->add_option("IN", a->input, "A filter's file")->required()->option_text(" ");
  sub->add_option("OUT", a->output, "The file to write, whole or not at all")
      ->required()
      ->option_text(" ");
  sub->add_option("--to", a->to, "The format to write")->required()->option_text("FORMAT");
  AddFormat(*sub, a->format);
  sub->add_flag("--lossy", a->lossy,
                "Go on where the format has no place for something, and say so");
  std::string footer = "Formats:\n";
  for (const FormatFacts& facts : Formats()) {
    footer += fmt::format("  {:<16} {}\n", facts.name, facts.about);
  }
  sub->footer(
      footer +
      "Bits are never moved: a format holds only filters with its own layout and hash (make\n"
      "one by build --to).\n"
      "Example: tamis convert feed.bloom feed.tamis --to tamis");
  sub->callback([a, &run] { run = [a] { return Run(*a); }; });
}

}  // namespace tamis::command
