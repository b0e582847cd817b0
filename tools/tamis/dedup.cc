// tamis dedup: first occurrences to the output, in input order.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "checkpoint.h"
#include "command.h"
#include "dedup_arguments.h"
#include "dedup_run.h"

namespace tamis::command {

namespace {

constexpr const char* kExamples =
    "Lines are bytes: a \\r before the newline belongs to the line, a last line needs no newline.\n"
    "A Bloom filter remembers them, so a few new lines are wrongly dropped: the summary on "
    "standard\n"
    "error predicts how many. -o is written whole or not at all; so is --seen, after it. Exit "
    "code\n"
    "1 means records without a key, or --strict and a plan that was passed (the output is there); "
    "2 an\n"
    "error.\n"
    "Examples:\n"
    "  tamis dedup urls.txt -o new.txt\n"
    "  zcat log.gz | tamis dedup --expect 50M --fpr 0.01% > once.txt\n"
    "  tamis dedup today.txt --seen seen.tamis --expect 1G -o fresh.txt\n"
    "  tamis dedup urls.txt --seen week.tamis --window 7d --expect 100M -o due.txt";

int Dedup(const DedupArguments& arguments) {
  if (arguments.resume) {
    if (const std::optional<int> code = FinishedEarlier(arguments)) {
      fmt::print(stderr, "tamis dedup: the run had finished: nothing is left to do\n");
      return *code;
    }
  }
  return DedupRun(arguments).Run();
}

}  // namespace

void AddDedup(CLI::App& app, Action& run) {
  const auto a = std::make_shared<DedupArguments>();
  CLI::App* sub = app.add_subcommand("dedup", "Keep the first of equal lines, in input order");
  a->AddTo(*sub);
  sub->footer(kExamples);
  sub->callback([a, &run] { run = [a] { return Dedup(*a); }; });
}

}  // namespace tamis::command
