// tamis build: a filter from lines.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "arguments.h"
#include "command.h"
#include "families.h"
#include "input_arguments.h"
#include "output.h"
#include "progress.h"
#include "stages.h"
#include "tamis/formats.h"

namespace tamis::command {

namespace {

struct BuildArguments {
  InputArguments input;
  PlanArguments plan;
  RunArguments run;
  std::string output;
  std::string to = "tamis";
  bool strict = false;
};

// The filter asked for, in a format that may bring its own layout and sizes.
FilterFile MakeFile(const BuildArguments& arguments, const Input& input) {
  const PlanArguments& plan = arguments.plan;
  if (arguments.to == "tamis") return {.filter = plan.Make(input, false)};
  if (!plan.expect || plan.variant || plan.hash || plan.k != 0 || plan.bytes || plan.bits_per_key) {
    throw InvalidArgument("--to takes --expect and --fpr: the format has its own layout");
  }
  return {.filter = Filter(PlanForFormat(arguments.to, *plan.expect, plan.rate(), plan.seed)),
          .format = arguments.to};
}

int Run(const BuildArguments& arguments) {
  arguments.plan.plan();  // a bad one is refused first
  KeyMaker maker(arguments.input.Rule());
  Input input = arguments.input.Open(arguments.run.StageThreads());
  RequireNoInput(arguments.output, input);
  RequireWritable(arguments.output);
  FilterFile file = MakeFile(arguments, input);
  AnyFilter& filter = file.filter;
  const Engine hasher(arguments.run.ForHashing());
  Engine engine(arguments.run.ForStages());
  Place(engine, filter);
  Progress progress(true, input.total_bytes());
  const Clock::time_point start = Clock::now();
  const Spec spec = HashSpec(filter);
  BadMeter bad(arguments.input.Policy(), "build");
  uint64_t lines = 0;
  Stages stages({
      .read = [&](Chunk& chunk) { return ReadRecords(input, maker, chunk); },
      .prepare = [&](Chunk& chunk) { maker.Prepare(chunk, hasher, spec); },
      .filter =
          [&](Chunk& chunk) {
            bad.Add(chunk, InputName(input.names()[chunk.file]));
            InsertNew(engine, filter, chunk.HashedKeys());  // which counts distinct keys
            lines += chunk.records;
            progress.Show(chunk.input_bytes, lines, filter, 0);
          },
      .write = {},
  });
  input.OnLongRecord([&] { stages.AwaitEarlier(); });
  stages.Run(arguments.run.StageThreads());
  progress.Clear();
  SaveAs(file, arguments.output, file.format);
  fmt::print(stderr,
             "tamis build: {} lines, {} distinct, {:.2f} s\n  filter: {}, expected rate {:.3g}\n",
             lines, Inserted(filter), SecondsSince(start), Describe(filter), ExpectedFpr(filter));
  const std::string loss = LossOf(file, file.format);
  if (!loss.empty()) fmt::print(stderr, "  {} has no place for {}\n", file.format, loss);
  if (bad.count() > 0) fmt::print(stderr, "  {} records without a key\n", bad.count());
  const int code = bad.count() > 0 ? 1 : 0;
  if (!Overfull(filter)) return code;
  fmt::print(stderr, "tamis build: warning: more than the {} keys planned for\n", Capacity(filter));
  return arguments.strict ? 1 : code;
}

}  // namespace

void AddBuild(CLI::App& app, Action& run) {
  const auto a = std::make_shared<BuildArguments>();
  CLI::App* sub = app.add_subcommand("build", "Make a filter from lines");
  a->input.AddTo(*sub);
  a->input.AddTablesTo(*sub);
  sub->add_option("-o,--output", a->output, "Write the filter to F, whole or not at all")
      ->required()
      ->option_text("F");
  a->plan.AddTo(*sub);
  a->plan.AddSizesTo(*sub);
  sub->add_option("--to", a->to,
                  "Make another system's filter, with its layout and hash (tamis convert\n"
                  "--help lists formats); wants --expect")
      ->option_text("FORMAT");
  sub->add_flag("--strict", a->strict, "Exit with 1 if more lines came than were planned for");
  a->run.AddTo(*sub);
  sub->footer("Example: tamis build -o blocked.tamis --fpr 0.01% blocked.txt");
  sub->callback([a, &run] { run = [a] { return Run(*a); }; });
}

}  // namespace tamis::command
