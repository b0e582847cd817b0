// tamis: which of these lines are new?

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>
#include <new>

#include "command.h"
#include "descriptor.h"
#include "format.h"
#include "interrupt.h"

namespace tamis::command {

namespace {

constexpr int kError = 2;

int Complain(std::string_view message) {
  fmt::print(stderr, "tamis: {}\n", OneLine(message));
  return kError;
}

// CLI11's own codes are many; ours is one. Help and the version are no errors.
int AnswerParse(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);
  const auto used = app.get_subcommands();
  const std::string help =
      used.empty() ? "tamis --help" : "tamis " + used[0]->get_name() + " --help";
  return Complain(fmt::format("{} (see {})", error.what(), help));
}

int Run(int argc, char** argv) {
  CLI::App app("Which of these lines are new? Bloom filters by the batch.", "tamis");
  app.set_version_flag("--version", "tamis " TAMIS_VERSION);
  app.require_subcommand(0, 1);  // none is told below: CLI11 would not name an unknown one
  app.get_formatter()->column_width(26);
  app.footer(
      "Exit codes: 0 done; 1 what --strict or query mean by it; 2 an error, told in one line;\n"
      "141 the reader of the output went away.\n"
      "Example: tamis dedup urls.txt -o new.txt");
  Action run;
  AddDedup(app, run);
  AddBuild(app, run);
  AddQuery(app, run);
  AddMerge(app, run);
  AddFold(app, run);
  AddConvert(app, run);
  AddInfo(app, run);
  AddPlan(app, run);
  AddBench(app, run);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return AnswerParse(app, error);
  }
  if (!run) return Complain("a subcommand is needed, such as dedup (see tamis --help)");
  CatchSignals();
  return run();
}

}  // namespace

// Runs the command line and turns whatever is thrown into an exit code.
int Main(int argc, char** argv) {
  try {
    return Run(argc, argv);
  } catch (const ClosedPipe&) {
    return 128 + SIGPIPE;  // what a shell reports of a program that the signal ends
  } catch (const Interrupted& interrupted) {
    return 128 + interrupted.signal;
  } catch (const std::bad_alloc&) {
    return Complain("out of memory");
  } catch (const std::exception& error) {
    return Complain(error.what());
  }
}

}  // namespace tamis::command

int main(int argc, char** argv) { return tamis::command::Main(argc, argv); }
