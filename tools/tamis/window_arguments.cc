#include "window_arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>

#include "families.h"
#include "format.h"

namespace tamis::command {

void ClockArgument::AddTo(CLI::App& app) {
  app.add_option_function<std::string>(
         "--now", [this](const std::string& text) { now = ParseTime("--now", text); },
         "The time that windows go by: 2024-01-01, 2024-01-01T12:30:00Z, or seconds\n"
         "since 1970 (default: the system's)")
      ->option_text("TIME");
}

uint64_t ClockArgument::Seconds() const {
  if (now) return *now;
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(since).count());
}

void WindowArguments::AddTo(CLI::App& app) {
  CLI::Option* length =
      app.add_option_function<std::string>(
             "--window",
             [this](const std::string& text) {
               seconds = static_cast<uint64_t>(std::ceil(ParseSeconds("--window", text)));
             },
             "Forget lines after so long (90s, 12h, 7d); --expect says how many distinct\n"
             "ones come in that time")
          ->option_text("TIME");
  app.add_option_function<std::string>(
         "--window-keys",
         [this](const std::string& text) { keys = ParseCount("--window-keys", text); },
         "Forget a line when so many other new ones have come (100M)")
      ->excludes(length)
      ->excludes("--expect")
      ->option_text("N");
  app.add_option("--generations", generations,
                 "Parts of a window, 1 to 256: the oldest is forgotten whole, so lines are\n"
                 "remembered for a window, less up to one part (default 8)")
      ->option_text("G");
  clock.AddTo(app);
}

Window WindowArguments::Cut(const PlanArguments& plan) const {
  if (keys) return Window::ByCount(*keys, generations);
  if (!plan.expect) {
    throw InvalidArgument("--window needs --expect: the distinct lines that come in one window");
  }
  return Window::ByTime(*seconds, generations, *plan.expect);
}

WindowedFilter WindowArguments::Make(const PlanArguments& plan) const {
  return {Cut(plan), plan.rate(), plan.options()};
}

void WindowArguments::RequireSame(const AnyFilter& filter, const PlanArguments& plan,
                                  const std::string& name) const {
  const auto* found = std::get_if<WindowedFilter>(&filter);
  if (found == nullptr) {
    throw SpecMismatch(
        fmt::format("{}: asked for a window, but the file holds [{}]", name, Describe(filter)));
  }
  const bool any_plan = seconds && !plan.expect;
  const Window asked =
      any_plan ? Window::ByTime(*seconds, generations, found->window().keys()) : Cut(plan);
  if (found->window() == asked) return;
  throw SpecMismatch(fmt::format("{}: asked for {}, but the file holds {}", name, Describe(asked),
                                 Describe(found->window())));
}

}  // namespace tamis::command
