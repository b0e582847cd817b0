// tamis fold: a filter that was planned too large, in a fraction of its size.

#include "tamis/fold.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "arguments.h"
#include "command.h"
#include "descriptor.h"
#include "families.h"
#include "file_lock.h"
#include "format.h"
#include "output.h"
#include "tamis/formats.h"

namespace tamis::command {

namespace {

struct FoldArguments {
  std::string input;
  std::string output;
  std::string format;
  SecretArgument secret;
  std::optional<uint64_t> by;
  std::optional<double> fpr;
  bool in_place = false;
  bool dry_run = false;
};

// Layers of growing filters are just as large as growing makes them, and generations of windows
// are to be alike.
FilterFile LoadFoldable(const FoldArguments& arguments) {
  FilterFile file =
      LoadAny(arguments.input, arguments.format, LoadMode::kRead, arguments.secret.Read());
  if (std::holds_alternative<Filter>(file.filter)) return file;
  throw SpecMismatch(arguments.input + ": only a single filter can be folded, none of several");
}

void RequireTarget(const FoldArguments& arguments) {
  if (arguments.dry_run) return;
  if (!arguments.by && !arguments.fpr) {
    throw InvalidArgument("fold needs --by or --fpr; --dry-run lists the sizes there are");
  }
  if (arguments.in_place != arguments.output.empty()) {
    throw InvalidArgument("fold needs -o or --in-place, one of them");
  }
  if (!arguments.in_place) {
    const std::optional<struct stat> input = StatOf(arguments.input);
    const std::optional<struct stat> output = StatOf(arguments.output);
    if (input && output && SameFile(*input, *output)) {
      throw InvalidArgument(arguments.output + " is also the input: --in-place replaces it");
    }
  }
  RequireWritable(arguments.in_place ? arguments.input : arguments.output);
}

// 1 is the filter as it is.
std::optional<uint64_t> FactorFor(const Filter& filter, const FoldArguments& arguments) {
  if (arguments.by) return *arguments.by;
  if (!arguments.fpr) return std::nullopt;
  return FoldFactorFor(filter.spec(), filter.inserted(), *arguments.fpr);
}

class SizeTable {
 public:
  explicit SizeTable(uint64_t inserted)
      : inserted_(inserted),
        text_(fmt::format("{:>8} {:>12} {:>16} {:>9} {:>12} {:>12}\n", "by", "bytes", "holds keys",
                          "at rate", "rate now", "by the bits")) {}

  void Add(uint64_t factor, const Plan& plan, std::optional<double> observed = std::nullopt) {
    const bool promises = plan.capacity != 0;
    text_ += fmt::format(
        "{:>8} {:>12} {:>16} {:>9} {:>12.3g} {:>12}\n", factor, ByteText(plan.spec.bytes()),
        promises ? fmt::format("{}", plan.capacity) : "-",
        promises ? fmt::format("{:.3g}", plan.fpr) : "-", ExpectedFpr(plan.spec, inserted_),
        observed ? fmt::format("{:.3g}", *observed) : "-");
  }
  const std::string& text() const { return text_; }

 private:
  uint64_t inserted_;
  std::string text_;
};

// Every size there is whose rate is still good for something.
std::string AllSizes(const Filter& filter) {
  constexpr double kUseless = 0.5;
  SizeTable table(filter.inserted());
  table.Add(1, filter.plan(), filter.ObservedFpr());
  for (const uint64_t factor : FoldFactors(filter.spec())) {
    const Plan plan = FoldedPlan(filter.plan(), factor);
    if (ExpectedFpr(plan.spec, filter.inserted()) > kUseless) break;
    table.Add(factor, plan);
  }
  return table.text();
}

void Print(const std::string& text) {
  Output out("-");
  out.Append(text);
  out.Commit(Durability::kRenamed);
}

int Run(const FoldArguments& arguments) {
  RequireTarget(arguments);
  std::optional<FileLock> lock;  // from runs that have the filter in memory, and would save it over
  if (arguments.in_place && !arguments.dry_run) lock.emplace(arguments.input);
  FilterFile file = LoadFoldable(arguments);
  const auto& large = std::get<Filter>(file.filter);
  const std::optional<uint64_t> factor = FactorFor(large, arguments);
  if (!factor) {
    Print(AllSizes(large));
    return 0;
  }
  Filter folded = Fold(large, *factor, arguments.fpr.value_or(0));
  SizeTable table(large.inserted());
  table.Add(1, large.plan(), large.ObservedFpr());
  table.Add(*factor, folded.plan(), folded.ObservedFpr());
  if (arguments.dry_run) {
    Print(table.text());
    return 0;
  }
  fmt::print(stderr, "tamis fold: {} keys{}\n{}", large.inserted(),
             file.counted ? "" : ", by the bits", table.text());
  if (folded.overfull()) {
    fmt::print(stderr, "tamis fold: warning: more keys than the {} that it holds at {:.3g}\n",
               folded.plan().capacity, folded.plan().fpr);
  }
  file.filter = std::move(folded);
  SaveAs(file, arguments.in_place ? arguments.input : arguments.output, file.format);
  return 0;
}

}  // namespace

void AddFold(CLI::App& app, Action& run) {
  const auto a = std::make_shared<FoldArguments>();
  CLI::App* sub = app.add_subcommand("fold", "Make a filter smaller that was planned too large");
  sub->add_option("FILTER", a->input, "A filter's file")->required()->option_text(" ");
  sub->add_option("-o,--output", a->output, "Write the small filter to F, whole or not at all")
      ->option_text("F");
  CLI::Option* by = sub->add_option_function<std::string>(
      "--by", [a](const std::string& text) { a->by = ParseCount("--by", text); },
      "Take one N-th of the size: 2 halves it. N must divide the filter's\n"
      "blocks, or a classic filter's bits");
  by->option_text("N");
  sub->add_option_function<std::string>(
         "--fpr", [a](const std::string& text) { a->fpr = ParseRate("--fpr", text); },
         "Take the smallest size at which its keys have a false-positive rate\n"
         "of at most P: 0.001 or 0.1%")
      ->option_text("P")
      ->excludes(by);
  sub->add_flag("--in-place", a->in_place, "Replace the filter's file");
  sub->add_flag("--dry-run", a->dry_run,
                "Only print sizes and rates; all there are without --by and --fpr");
  AddFormat(*sub, a->format);
  a->secret.AddTo(*sub);
  sub->footer(
      "Every key stays present: the result is the filter that the same keys would have made at\n"
      "that size. It promises the rate that it did before, for the fewer keys that it then holds;\n"
      "or P. Sizes and rates are told before anything is written. The output has the filter's\n"
      "format. Scalable and windowed filters cannot be folded. Large filters of build and dedup\n"
      "can be halved six times, those of --interop down to one block.\n"
      "Examples:\n"
      "  tamis fold seen.tamis --dry-run\n"
      "  tamis fold seen.tamis -o small.tamis --by 4\n"
      "  tamis fold seen.tamis --in-place --fpr 0.1%");
  sub->callback([a, &run] { run = [a] { return Run(*a); }; });
}

}  // namespace tamis::command
