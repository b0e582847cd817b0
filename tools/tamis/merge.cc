// tamis merge: one filter that holds what several hold.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "arguments.h"
#include "command.h"
#include "families.h"
#include "tamis/formats.h"

namespace tamis::command {

namespace {

struct MergeArguments {
  std::vector<std::string> files;
  std::string output;
  std::string format;
  SecretArgument secret;
  RunArguments run;
};

// Layers of growing filters differ in size from filter to filter: there is nothing to OR.
FilterFile LoadMergeable(const std::string& name, const MergeArguments& arguments) {
  FilterFile file = LoadAny(name, arguments.format, LoadMode::kRead, arguments.secret.Read());
  if (!std::holds_alternative<ScalableFilter>(file.filter)) return file;
  throw SpecMismatch(name + ": a scalable filter cannot be merged: build with --expect");
}

void Merge(Engine& engine, AnyFilter& into, const AnyFilter& from) {
  if (into.index() != from.index()) {
    throw SpecMismatch(fmt::format("cannot merge filters of two families: {} and {}",
                                   FamilyName(into), FamilyName(from)));
  }
  if (auto* window = std::get_if<WindowedFilter>(&into)) {
    engine.Merge(*window, std::get<WindowedFilter>(from));
  } else {
    engine.Merge(std::get<Filter>(into), std::get<Filter>(from));
  }
}

// What a merged file says beside the bits: a number of keys if all said theirs, and no data of one
// of them that the others do not share.
void AddFacts(FilterFile& sum, const FilterFile& other) {
  sum.counted = sum.counted && other.counted;
  if (other.attached == sum.attached) return;
  throw SpecMismatch("data attached to the filters differ: tamis cannot merge those");
}

int Run(const MergeArguments& arguments) {
  Engine engine(arguments.run.ForAll());
  FilterFile merged = LoadMergeable(arguments.files.front(), arguments);
  AnyFilter& sum = merged.filter;
  Place(engine, sum);
  for (size_t i = 1; i < arguments.files.size(); ++i) {
    const std::string& name = arguments.files[i];
    try {
      const FilterFile other = LoadMergeable(name, arguments);
      Merge(engine, sum, other.filter);
      AddFacts(merged, other);
    } catch (const SpecMismatch& error) {
      throw SpecMismatch(fmt::format("{} and {}: {}", arguments.files.front(), name, error.what()));
    }
  }
  SaveAs(merged, arguments.output, merged.format);
  fmt::print(stderr,
             "tamis merge: {} filters, {} keys at most, expected false-positive rate {:.3g}\n",
             arguments.files.size(), Inserted(sum), ExpectedFpr(sum));
  if (Overfull(sum)) {
    fmt::print(stderr, "tamis merge: warning: planned for {}; observed rate {:.3g}\n", Planned(sum),
               ObservedFpr(sum));
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
  AddFormat(*sub, a->format);
  a->secret.AddTo(*sub);
  a->run.AddTo(*sub);
  sub->footer(
      "The output has the format of the first filter. Keys in several of the filters are counted "
      "several times in the sum.\n"
      "Example: tamis merge -o week.tamis mon.tamis tue.tamis wed.tamis");
  sub->callback([a, &run] { run = [a] { return Run(*a); }; });
}

}  // namespace tamis::command
