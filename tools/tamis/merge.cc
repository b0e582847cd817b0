// tamis merge: one filter that holds what several hold.

#include <fmt/format.h>

#include <memory>

#include "arguments.h"
#include "command.h"
#include "families.h"

namespace tamis::command {

namespace {

struct MergeArguments {
  std::vector<std::string> files;
  std::string output;
  RunArguments run;
};

// Layers of growing filters differ in size from filter to filter: there is nothing to OR.
Filter LoadMergeable(const std::string& name, LoadMode mode) {
  AnyFilter filter = Load(name, mode);
  if (auto* fixed = std::get_if<Filter>(&filter)) return std::move(*fixed);
  throw SpecMismatch(name + ": a scalable filter cannot be merged: build with --expect");
}

int Run(const MergeArguments& arguments) {
  Engine engine(arguments.run.ForAll());
  Filter sum = LoadMergeable(arguments.files.front(), LoadMode::kRead);
  engine.Place(sum);
  for (size_t i = 1; i < arguments.files.size(); ++i) {
    const std::string& name = arguments.files[i];
    try {
      engine.Merge(sum, LoadMergeable(name, LoadMode::kRead));
    } catch (const SpecMismatch& error) {
      throw SpecMismatch(fmt::format("{} and {}: {}", arguments.files.front(), name, error.what()));
    }
  }
  Save(sum, arguments.output);
  const bool overfull = sum.overfull();
  const AnyFilter merged(std::move(sum));
  fmt::print(stderr,
             "tamis merge: {} filters, {} keys at most, expected false-positive rate {:.3g}\n",
             arguments.files.size(), Inserted(merged), ExpectedFpr(merged));
  if (overfull) {
    fmt::print(stderr, "tamis merge: warning: planned for {} keys; observed rate {:.3g}\n",
               Capacity(merged), ObservedFpr(merged));
  }
  return 0;
}

}  // namespace

void AddMerge(CLI::App& app, Action& run) {
  const auto a = std::make_shared<MergeArguments>();
  CLI::App* sub =
      app.add_subcommand("merge", "Make one filter of several with equal size and seed");
  sub->add_option("FILTER", a->files, "Filters to merge")->required()->option_text(" ");
  sub->add_option("-o,--output", a->output,
                  "Write the merged filter to F; may be one of the inputs")
      ->required()
      ->option_text("F");
  a->run.AddTo(*sub);
  sub->footer(
      "Keys in several of the filters are counted several times in the sum.\n"
      "Example: tamis merge -o week.tamis mon.tamis tue.tamis wed.tamis");
  sub->callback([a, &run] { run = [a] { return Run(*a); }; });
}

}  // namespace tamis::command
