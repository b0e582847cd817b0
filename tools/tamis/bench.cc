// tamis bench: measures this machine. The work is done by the program tamis-bench beside this one,
// which needs libraries that the other subcommands do not.

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

#include "command.h"
#include "tamis/error.h"

namespace tamis::command {

namespace {

// Does not return, unless by throwing.
int RunBeside(std::vector<std::string> arguments) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string program = (self.parent_path() / "tamis-bench").string();
  std::vector<char*> argv;
  std::string name = "tamis bench";
  argv.push_back(name.data());
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  execv(program.c_str(), argv.data());
  if (errno == ENOENT) {
    throw Error(
        "bench: " + program +
        " is not there: it is built where Google Benchmark and nlohmann_json are installed");
  }
  throw Error("bench: " + program + ": " + std::strerror(errno));
}

}  // namespace

void AddBench(CLI::App& app, Action& run) {
  CLI::App* sub = app.add_subcommand("bench", "Measure this machine, tamis and its rivals");
  sub->prefix_command();  // all that follows is for the program, --help too
  sub->set_help_flag();
  sub->callback([sub, &run] { run = [sub] { return RunBeside(sub->remaining()); }; });
}

}  // namespace tamis::command
