#include "bench/suite.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <exception>
#include <regex>

#include "bench/device.h"
#include "bench/facts.h"
#include "bench/job.h"
#include "bench/limit_rows.h"
#include "bench/noise.h"
#include "bench/pinned.h"
#include "bench/rival_job.h"
#include "bench/rivals/rival.h"
#include "bench/shared_filter.h"
#include "tamis/backend.h"
#include "tamis/error.h"

namespace tamis::bench {

namespace {

constexpr uint64_t kLargeBuild = 4'000'000;  // keys of a rival that is built once

// Google Benchmark runs the rows and counts their repetitions; what they found goes into the rows
// themselves, so there is nothing left to report.
class Silent final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& /*context*/) override { return true; }
  void ReportRuns(const std::vector<Run>& /*runs*/) override {}
};

std::vector<WorkRow> AllRows(Extent extent) {
  std::vector<WorkRow> rows = TamisGrid(extent, static_cast<int>(Processors().size()));
  const std::vector<WorkRow> grid = RivalGrid(extent);
  for (const RivalEntry& rival : Rivals()) {
    for (WorkRow row : grid) {
      if (!rival.fast && row.filter_keys > EffortOf(extent).rival_keys) continue;
      row.system = rival.name;
      row.variant = rival.variant;
      rows.push_back(row);
    }
  }
  return rows;
}

std::regex Matcher(const std::string& expression) {
  try {
    return std::regex(expression);
  } catch (const std::regex_error& error) {
    throw InvalidArgument("--only " + expression + ": " + error.what());
  }
}

// Refuses, with the reason, a run of a device alone where there is none.
void RequireDevice() {
  std::string reason = "no backend for devices was built";
  for (const Backend* backend : Backends()) {
    if (backend->device()) reason = backend->Unavailable();
  }
  if (!reason.empty()) throw DeviceError("bench --device: " + reason);
}

class Suite {
 public:
  explicit Suite(const SuiteOptions& options)
      : options_(options), effort_(EffortOf(options.extent)), filter_(effort_), rival_(effort_) {
    const std::regex only = Matcher(options.only);
    if (options.device_only) return;
    for (WorkRow& row : AllRows(options.extent)) {
      if (std::regex_search(NameOf(row), only)) rows_.push_back(std::move(row));
    }
    if (rows_.empty()) throw InvalidArgument("--only " + options.only + ": matches no row");
    all_ = rows_.size();
  }

  SuiteRun Run() {
    SuiteRun run;
    Result& result = run.result;
    result.machine = Facts();
    if (options_.only.empty() && !options_.device_only) {
      result.limits = MeasureLimits(options_.extent, result.machine.cores,
                                    [&](std::string_view name) { Next(name); });
    }
    if (!rows_.empty()) RunRows();
    for (const WorkRow& row : rows_) {
      if (row.mkeys_per_s > 0) result.rows.push_back(row);
    }
    if (options_.only.empty()) AddDevice(result);
    result.machine.noise = probe_.Spread();
    run.skipped = std::move(skipped_);
    return run;
  }

 private:
  void AddDevice(Result& result) {
    filter_.Drop();
    rival_.Drop();
    if (options_.device_only) RequireDevice();
    const DeviceRows device =
        MeasureDevice(options_.extent, [&](std::string_view name) { Next(name); });
    result.limits.insert(result.limits.end(), device.limits.begin(), device.limits.end());
    result.rows.insert(result.rows.end(), device.rows.begin(), device.rows.end());
  }

  void RunRows() {
    benchmark::ClearRegisteredBenchmarks();
    for ([[maybe_unused]] WorkRow& row : rows_) {
#ifndef __clang_analyzer__  // it takes what the library keeps for a leak
      benchmark::RegisterBenchmark(NameOf(row).c_str(),
                                   [this, &row](benchmark::State& state) { Measure(row, state); })
          ->UseManualTime()
          ->Iterations(RepetitionsOf(row));
#endif
    }
    Silent silent;
    benchmark::RunSpecifiedBenchmarks(&silent, ".");
    benchmark::ClearRegisteredBenchmarks();
  }

  int RepetitionsOf(const WorkRow& row) const {
    const bool large = row.system != "tamis" && row.op == "insert" && row.filter_keys > kLargeBuild;
    return large ? 1 : effort_.repetitions;
  }

  void Measure(WorkRow& row, benchmark::State& state) {
    Next(NameOf(row));
    try {
      const std::unique_ptr<Job> job = JobOf(row);
      while (state.KeepRunning()) state.SetIterationTime(job->Repeat());
      job->Report(row);
    } catch (const std::exception& error) {
      skipped_.push_back(NameOf(row) + ": " + error.what());
      state.SkipWithError(error.what());
    }
    ++done_;
  }

  // Only one of the two keeps its memory.
  std::unique_ptr<Job> JobOf(const WorkRow& row) {
    if (row.system == "tamis") {
      rival_.Drop();
      return MakeTamisJob(row, filter_, effort_);
    }
    filter_.Drop();
    return MakeRivalJob(row, rival_, effort_);
  }

  void Next(std::string_view name) {
    if (options_.progress) options_.progress(name, done_, all_);
    ConfineTo(1);
    probe_.Sample();
  }

  const SuiteOptions& options_;
  Effort effort_;
  std::vector<WorkRow> rows_;
  SharedFilter filter_;
  SharedRival rival_;
  NoiseProbe probe_;
  std::vector<std::string> skipped_;
  size_t done_ = 0;
  size_t all_ = 0;
};

}  // namespace

std::string NameOf(const WorkRow& row) {
  return fmt::format("{}/{}/{}/{}/{}/{}/hits:{}/batch:{}/{}{}{}/threads:{}", row.system, row.op,
                     row.variant, row.key_kind, row.filter_keys, row.bits_per_key, row.hit_share,
                     row.batch, row.pages, row.target.empty() ? "" : "/", row.target, row.threads);
}

SuiteRun RunSuite(const SuiteOptions& options) {
  Processors();  // before anything is pinned
  // Memory that was freed is used again rather than given back: rivals are not timed while the
  // system finds them pages.
  mallopt(M_TRIM_THRESHOLD, -1);
  return Suite(options).Run();
}

}  // namespace tamis::bench
