// tamis plan: what a filter would take, before anything is allocated; for files, by counting their
// distinct keys first.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cmath>
#include <memory>
#include <optional>

#include "arguments.h"
#include "cardinality.h"
#include "command.h"
#include "format.h"
#include "input_arguments.h"
#include "json.h"
#include "output.h"
#include "stages.h"

namespace tamis::command {

namespace {

struct PlanCommandArguments {
  InputArguments input;
  RunArguments run;
  PlanArguments plan;
  bool json = false;
};

// What a pass over the input found.
struct Counted {
  uint64_t records = 0;
  uint64_t errors = 0;
  uint64_t distinct = 0;  // an estimate
  uint64_t most = 0;      // three standard errors above it: what to plan for
};

Counted Count(const PlanCommandArguments& arguments) {
  KeyMaker maker(arguments.input.Rule());
  Input input = arguments.input.Open(arguments.run.StageThreads());
  BadMeter bad(arguments.input.Policy(), "plan");
  const Engine hasher(arguments.run.ForHashing());
  const Spec spec{.blocks = 1};  // any will do: XXH64, one word a key
  CardinalityCounter counter;
  Counted counted;
  Stages stages({
      .read = [&](Chunk& chunk) { return ReadRecords(input, maker, chunk); },
      .prepare = [&](Chunk& chunk) { maker.Prepare(chunk, hasher, spec); },
      .filter =
          [&](Chunk& chunk) {
            bad.Add(chunk, InputName(input.names()[chunk.file]));
            counter.Add({chunk.hashes.data(), chunk.keys});
            counted.records += chunk.records;
          },
      .write = {},
  });
  input.OnLongRecord([&] { stages.AwaitEarlier(); });
  stages.Run(arguments.run.StageThreads());
  constexpr double kErrors = 3;
  const double estimate = counter.Estimate();
  counted.errors = bad.count();
  counted.distinct = static_cast<uint64_t>(std::llround(estimate));
  counted.most = static_cast<uint64_t>(
      std::ceil(estimate * (1 + kErrors * CardinalityCounter::kStandardError)));
  return counted;
}

constexpr std::array kPercent = {50, 100, 150, 200};

// The rate when `percent` of the planned keys are in.
double RateAtPercent(const Plan& plan, int percent) {
  const double keys = static_cast<double>(plan.capacity) * percent / 100;
  return ExpectedFpr(plan.spec, static_cast<uint64_t>(keys));
}

double BitsPerKey(const Plan& plan) {
  return static_cast<double>(plan.spec.bits()) / static_cast<double>(plan.capacity);
}

std::string Text(const Plan& plan) {
  std::string text = fmt::format("variant       {}\nbits          {}\nbytes         {} ({})\n",
                                 NameOf(plan.spec.variant), plan.spec.bits(), plan.spec.bytes(),
                                 ByteText(plan.spec.bytes()));
  text += fmt::format("k             {}\n", plan.spec.k);
  if (plan.capacity == 0) return text;
  text += fmt::format("bits per key  {:.4f}\n", BitsPerKey(plan));
  for (const int percent : kPercent) {
    text += fmt::format("rate at {:3} % of plan  {:.4g}\n", percent, RateAtPercent(plan, percent));
  }
  return text;
}

std::string Text(const Counted& counted) {
  return fmt::format(
      "records       {}\nerrors        {}\ndistinct      about {} (+- {:.1f} %)\n"
      "planned for   {}\n",
      counted.records, counted.errors, counted.distinct, 100 * CardinalityCounter::kStandardError,
      counted.most);
}

std::string JsonText(const Plan& plan, const std::optional<Counted>& counted) {
  Json json;
  json.BeginObject();
  if (counted) {
    json.Member("records", counted->records);
    json.Member("errors", counted->errors);
    json.Member("distinct", counted->distinct);
    json.Member("distinct_standard_error", CardinalityCounter::kStandardError);
  }
  json.Member("variant", NameOf(plan.spec.variant));
  json.Member("capacity", plan.capacity);
  json.Member("fpr", plan.fpr);
  json.Member("blocks", plan.spec.blocks);
  json.Member("k", plan.spec.k);
  json.Member("bits", plan.spec.bits());
  json.Member("bytes", plan.spec.bytes());
  if (plan.capacity != 0) {
    json.Member("bits_per_key", BitsPerKey(plan));
    json.Key("rates").BeginArray();
    for (const int percent : kPercent) {
      json.BeginObject();
      json.Member("percent", percent);
      json.Member("fpr", RateAtPercent(plan, percent));
      json.EndObject();
    }
    json.EndArray();
  }
  json.EndObject();
  return json.Text();
}

int Run(PlanCommandArguments arguments) {
  std::optional<Counted> counted;
  if (!arguments.input.files.empty()) {
    if (arguments.plan.expect || arguments.plan.bytes) {
      throw InvalidArgument("plan counts FILE instead of --expect and --bytes: give one of them");
    }
    counted = Count(arguments);
    arguments.plan.expect = counted->most;
  }
  const std::optional<Plan> plan = arguments.plan.plan();
  if (!plan) throw InvalidArgument("plan needs FILE, --expect or --bytes");
  Output out("-");
  if (arguments.json) {
    out.Append(JsonText(*plan, counted));
  } else {
    if (counted) out.Append(Text(*counted));
    out.Append(Text(*plan));
  }
  out.Commit(Durability::kRenamed);
  return counted && counted->errors > 0 ? 1 : 0;
}

}  // namespace

void AddPlan(CLI::App& app, Action& run) {
  const auto a = std::make_shared<PlanCommandArguments>();
  CLI::App* sub =
      app.add_subcommand("plan", "Say what a filter takes, and its rates when overfull");
  a->input.AddTo(*sub);
  a->input.AddTablesTo(*sub);
  a->plan.AddTo(*sub);
  a->plan.AddSizesTo(*sub);
  a->run.AddTo(*sub);
  sub->add_flag("--json", a->json, "Print JSON");
  sub->footer(
      "Allocates no filter: try any size. With FILE (- for standard input) it first counts "
      "distinct\n"
      "keys, to within 0.4 % or so, in 64 KiB of memory.\n"
      "Examples:\n"
      "  tamis plan --expect 1G --fpr 0.1%\n"
      "  tamis plan 'crawl/*.jsonl.zst' --json-key url");
  sub->callback([a, &run] { run = [a] { return Run(*a); }; });
}

}  // namespace tamis::command
