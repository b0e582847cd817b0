// tamis query: which lines does a filter hold? Exits as grep does.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <memory>
#include <utility>

#include "arguments.h"
#include "command.h"
#include "families.h"
#include "format.h"
#include "input_arguments.h"
#include "output.h"
#include "parquet_verbs.h"
#include "stages.h"
#include "tamis/formats.h"
#include "tamis/parquet.h"
#include "window_arguments.h"

namespace tamis::command {

namespace {

struct QueryArguments {
  std::string filter;
  std::string format;
  InputArguments input;
  RunArguments run;
  bool invert = false;
  bool count = false;
  bool quiet = false;
  bool map = false;
  SecretArgument secret;
  ClockArgument clock;
};

int RunParquet(const QueryArguments& arguments) {
  InputArguments lines = arguments.input;  // --column is the file's
  const std::vector<std::string> columns = std::exchange(lines.columns, {});
  if (columns.size() != 1) {
    throw InvalidArgument(
        fmt::format("{} is a Parquet file: name one --column, whose filters are to be asked",
                    OneLine(arguments.filter)));
  }
  lines.RequireLines("a Parquet file");
  Input input = lines.Open(1);
  const ParquetAnswer answer = arguments.quiet   ? ParquetAnswer::kQuiet
                               : arguments.count ? ParquetAnswer::kCount
                                                 : ParquetAnswer::kRowGroups;
  return QueryParquet(arguments.filter, columns.front(), input, answer, arguments.invert);
}

int Run(const QueryArguments& arguments) {
  if (arguments.format.empty() && IsParquet(arguments.filter)) return RunParquet(arguments);
  FilterFile file =
      LoadAny(arguments.filter, arguments.format, arguments.map ? LoadMode::kMap : LoadMode::kRead,
              arguments.secret.Read());
  AnyFilter& filter = file.filter;
  KeyMaker maker(arguments.input.Rule());
  BadMeter bad(arguments.input.Policy(), "query");
  Input input = arguments.input.Open(arguments.run.StageThreads());
  Engine engine(arguments.run.ForHashing());  // look-ups, like hashing, are side by side
  AdvanceTo(filter, arguments.clock.Seconds());
  Place(engine, filter);
  Output out("-", input.format().end());
  if (!arguments.quiet && !arguments.count) RequireNoInput(out, input);
  const Spec spec = HashSpec(filter);
  uint64_t selected = 0;
  const auto prepare = [&](Chunk& chunk) {
    maker.Prepare(chunk, engine, spec);
    chunk.MakeAnswers();
    const uint64_t found = Contains(engine, filter, chunk.HashedKeys(), chunk.answers);
    chunk.answered = arguments.invert ? chunk.keys - found : found;
    // A record without a key is neither in the filter nor not.
    if (!chunk.bad.empty()) Spread(chunk, OnError::kDrop);
  };
  const auto write = [&](Chunk& chunk) {
    bad.Add(chunk, InputName(input.names()[chunk.file]));
    selected += chunk.answered;
    if (arguments.count || arguments.quiet) return;
    out.Append(chunk.header);
    if (chunk.bad.empty()) {
      out.AppendRecords(chunk, chunk.answers, !arguments.invert);
    } else {
      out.AppendRecords(chunk, arguments.invert ? chunk.others : chunk.kept, true);
    }
    if (chunk.paused) out.FlushPipe();
  };
  std::atomic<bool> enough = false;
  Stages stages({
      .read = [&](Chunk& chunk) { return !enough && ReadRecords(input, maker, chunk); },
      .prepare = prepare,
      .filter = {},
      .write =
          [&](Chunk& chunk) {
            write(chunk);
            enough = arguments.quiet && selected > 0;
          },
  });
  input.OnLongRecord([&] { stages.AwaitEarlier(); });
  stages.Run(arguments.run.StageThreads());
  if (arguments.count && !arguments.quiet) out.Append(fmt::format("{}\n", selected));
  out.Commit(Durability::kRenamed);
  if (bad.count() > 0) return 2;
  return selected > 0 ? 0 : 1;
}

}  // namespace

void AddQuery(CLI::App& app, Action& run) {
  const auto a = std::make_shared<QueryArguments>();
  CLI::App* sub = app.add_subcommand("query", "Print the lines that a filter holds");
  sub->add_option("FILTER", a->filter, "A filter's file, or a Parquet file")
      ->required()
      ->option_text(" ");
  a->input.AddTo(*sub);
  a->input.AddTablesTo(*sub);
  AddFormat(*sub, a->format);
  sub->add_flag("-v,--invert", a->invert, "Print the lines that it does not hold");
  sub->add_flag("-c,--count", a->count, "Print only how many");
  sub->add_flag("-q,--quiet", a->quiet, "Print nothing, and stop at the first");
  sub->add_flag("--map", a->map,
                "Map the filter instead of reading it: starts at once, shares its\n"
                "memory, and leaves the checksum of its body unverified");
  a->secret.AddTo(*sub);
  a->clock.AddTo(*sub);
  a->run.AddTo(*sub);
  sub->footer(
      "If FILTER is a Parquet file, --column names the column whose filters are asked: prints a\n"
      "line, a tab, and the row groups that may hold it.\n"
      "A line that was never put in is found all the same at the filter's rate (tamis info).\n"
      "Exit codes: 0 if a line was selected, 1 if none was, 2 on an error.\n"
      "Examples:\n"
      "  tamis query blocked.tamis requests.txt\n"
      "  tamis query feed.bloom hashes.txt\n"
      "  tamis query guava.bin --keys long ids.txt\n"
      "  tamis query blocked.tamis log.csv --column user\n"
      "  tamis query table.parquet --column id ids.txt");
  sub->callback([a, &run] { run = [a] { return Run(*a); }; });
}

}  // namespace tamis::command
