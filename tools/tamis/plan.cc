// tamis plan: what a filter would take, before anything is allocated.

#include <fmt/format.h>

#include <array>
#include <memory>

#include "arguments.h"
#include "command.h"
#include "format.h"
#include "json.h"
#include "output.h"

namespace tamis::command {

namespace {

struct PlanCommandArguments {
  PlanArguments plan;
  bool json = false;
};

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
  if (plan.capacity == 0) return text;
  text += fmt::format("bits per key  {:.4f}\n", BitsPerKey(plan));
  for (const int percent : kPercent) {
    text += fmt::format("rate at {:3} % of plan  {:.4g}\n", percent, RateAtPercent(plan, percent));
  }
  return text;
}

std::string JsonText(const Plan& plan) {
  Json json;
  json.BeginObject();
  json.Member("variant", NameOf(plan.spec.variant));
  json.Member("capacity", plan.capacity);
  json.Member("fpr", plan.fpr);
  json.Member("blocks", plan.spec.blocks);
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

int Run(const PlanCommandArguments& arguments) {
  const std::optional<Plan> plan = arguments.plan.plan();
  if (!plan) throw InvalidArgument("plan needs --expect or --bytes");
  Output out("-");
  out.Append(arguments.json ? JsonText(*plan) : Text(*plan));
  out.Commit(Durability::kRenamed);
  return 0;
}

}  // namespace

void AddPlan(CLI::App& app, Action& run) {
  const auto a = std::make_shared<PlanCommandArguments>();
  CLI::App* sub =
      app.add_subcommand("plan", "Say what a filter takes, and its rates when overfull");
  a->plan.AddTo(*sub);
  a->plan.AddSizesTo(*sub);
  sub->add_flag("--json", a->json, "Print JSON");
  sub->footer(
      "Allocates nothing: try any size.\n"
      "Example: tamis plan --expect 1G --fpr 0.1%");
  sub->callback([a, &run] { run = [a] { return Run(*a); }; });
}

}  // namespace tamis::command
