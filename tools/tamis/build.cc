// tamis build: a filter from lines.

#include <fmt/format.h>

#include <memory>

#include "arguments.h"
#include "command.h"
#include "families.h"
#include "lines.h"
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
  Input input = arguments.input.Open();
  RequireNoInput(arguments.output, input);
  RequireWritable(arguments.output);
  AnyFilter filter = arguments.plan.Make(input, false);
  const Engine hasher(arguments.run.ForHashing());
  Engine engine(arguments.run.ForStages());
  Place(engine, filter);
  Progress progress(true, input.total_bytes());
  const Clock::time_point start = Clock::now();
  const Spec spec = HashSpec(filter);
  uint64_t lines = 0;
  Stages stages({
      .read = [&](Chunk& chunk) { return input.Next(chunk); },
      .prepare = [&](Chunk& chunk) { HashRecords(chunk, input.delimiter(), hasher, spec); },
      .filter =
          [&](Chunk& chunk) {
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
  if (!Overfull(filter)) return 0;
  fmt::print(stderr, "tamis build: warning: more than the {} keys planned for\n", Capacity(filter));
  return arguments.strict ? 1 : 0;
}

}  // namespace

void AddBuild(CLI::App& app, Action& run) {
  const auto a = std::make_shared<BuildArguments>();
  CLI::App* sub = app.add_subcommand("build", "Make a filter from lines");
  a->input.AddTo(*sub);
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
