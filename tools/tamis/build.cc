// tamis build: a filter from lines.

#include <fmt/format.h>

#include <memory>

#include "arguments.h"
#include "command.h"
#include "families.h"
#include "input_arguments.h"
#include "output.h"
#include "progress.h"
#include "stages.h"

namespace tamis::command {

namespace {

struct BuildArguments {
  InputArguments input;
  PlanArguments plan;
  RunArguments run;
  std::string output;
  bool strict = false;
};

int Run(const BuildArguments& arguments) {
  arguments.plan.plan();  // a bad one is refused first
  KeyMaker maker(arguments.input.Rule());
  Input input = arguments.input.Open(arguments.run.StageThreads());
  RequireNoInput(arguments.output, input);
  RequireWritable(arguments.output);
  AnyFilter filter = arguments.plan.Make(input, false);
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
  Save(filter, arguments.output);
  fmt::print(stderr,
             "tamis build: {} lines, {} distinct, {:.2f} s\n  filter: {}, expected rate {:.3g}\n",
             lines, Inserted(filter), SecondsSince(start), Describe(filter), ExpectedFpr(filter));
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
  sub->add_flag("--strict", a->strict, "Exit with 1 if more lines came than were planned for");
  a->run.AddTo(*sub);
  sub->footer("Example: tamis build -o blocked.tamis --fpr 0.01% blocked.txt");
  sub->callback([a, &run] { run = [a] { return Run(*a); }; });
}

}  // namespace tamis::command
