// tamis-bench, which `tamis bench` runs: a program of its own, so that the command needs neither
// Google Benchmark nor the rivals' libraries.

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/noise.h"
#include "bench/report.h"
#include "bench/result.h"
#include "bench/suite.h"
#include "bench/table.h"

namespace tamis::bench {

namespace {

constexpr int kError = 2;

struct Arguments {
  bool full = false;
  bool moment = false;
  bool device = false;
  std::string out = "tamis-bench";
  std::string only;
  std::vector<std::string> compare;

  Extent extent() const {
    if (moment) return Extent::kMoment;
    return full ? Extent::kFull : Extent::kQuick;
  }
};

void ShowProgress(std::string_view name, size_t done, size_t all) {
  if (isatty(STDERR_FILENO) == 0) return;
  fmt::print(stderr, "\r\x1b[K[{}/{}] {}", done, all, name.substr(0, 100));
  std::fflush(stderr);
}

void ClearProgress() {
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\x1b[K");
}

std::string PathIn(const std::string& folder, const char* name) {
  std::filesystem::create_directories(folder);
  return (std::filesystem::path(folder) / name).string();
}

void Compare(const Arguments& arguments) {
  std::vector<Result> results;
  for (const std::string& file : arguments.compare) results.push_back(ReadResult(file));
  const std::string report = PathIn(arguments.out, "report.html");
  WriteReport(results, report);
  fmt::print("{}\n", report);
}

void Measure(const Arguments& arguments) {
  const std::string json = PathIn(arguments.out, "result.json");
  const std::string report = PathIn(arguments.out, "report.html");
  const SuiteRun run = RunSuite({.extent = arguments.extent(),
                                 .device_only = arguments.device,
                                 .only = arguments.only,
                                 .progress = ShowProgress});
  ClearProgress();
  WriteResult(run.result, json);
  WriteReport({run.result}, report);
  fmt::print("{}", Table(run.result));
  for (const std::string& row : run.skipped) fmt::print("skipped: {}\n", row);
  fmt::print("{}\n{}\n{}\n", NoiseProbe::Words(run.result.machine.noise), json, report);
}

int Main(int argc, char** argv) {
  Arguments a;
  CLI::App app("Measure this machine's limits, tamis, and the rivals that are installed.",
               "tamis bench");
  app.get_formatter()->column_width(26);
  bool quick = false;
  auto* quick_flag = app.add_flag("--quick", quick, "A selection, about two minutes (default)");
  app.add_flag("--full", a.full, "Everything; takes long")->excludes(quick_flag);
  app.add_flag("--for-a-moment", a.moment, "A few tiny rows, to see that it works")->group("");
  app.add_option("--out", a.out, "Folder for result.json and report.html")
      ->type_name("DIR")
      ->capture_default_str();
  app.add_option("--only", a.only, "Only rows whose name matches, and no limits")
      ->type_name("REGEX");
  app.add_flag("--device", a.device, "Only the GPU: its limits, and the cuda backend");
  app.add_option("--compare", a.compare, "Measure nothing: a report of earlier results")
      ->type_name("FILE...");
  app.footer(
      "Example: tamis bench --out here && tamis bench --compare here/result.json there.json");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    fmt::print(stderr, "tamis: {} (see tamis bench --help)\n", error.what());
    return kError;
  }
  if (a.compare.empty()) {
    Measure(a);
  } else {
    Compare(a);
  }
  return 0;
}

}  // namespace

}  // namespace tamis::bench

int main(int argc, char** argv) {
  try {
    return tamis::bench::Main(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tamis: {}\n", error.what());
    return tamis::bench::kError;
  }
}
