// tamis dedup: first occurrences to the output, in input order.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "arguments.h"
#include "command.h"
#include "dedup_report.h"
#include "families.h"
#include "file_lock.h"
#include "format.h"
#include "input_arguments.h"
#include "loss.h"
#include "output.h"
#include "progress.h"
#include "render.h"
#include "stages.h"
#include "tamis/formats.h"

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
    "  tamis dedup today.txt --seen seen.tamis --expect 1G -o fresh.txt";

struct DedupArguments {
  InputArguments input;
  PlanArguments plan;
  RunArguments run;
  std::string output = "-";
  std::string duplicates;
  std::string seen;
  std::string report;
  bool count = false;
  bool strict = false;
  bool grow = false;
  std::string paragraphs;
  uint64_t min_bytes = 1;
  uint64_t min_words = 1;
  RenderRule render;

  void AddParagraphsTo(CLI::App& app);
  KeyRule Rule() const;
};

void DedupArguments::AddParagraphsTo(CLI::App& app) {
  app.add_option("--flag", render.flag,
                 "Write all records, and say in this field of JSON, or column of a table,\n"
                 "whether each was seen: true or false")
      ->option_text("NAME");
  CLI::Option* field =
      app.add_option("--paragraphs", paragraphs,
                     "Records are JSON; keys are the lines of the text at PATH. Those seen\n"
                     "before are taken out of it")
          ->option_text("PATH");
  app.add_option("--min-length", min_bytes, "Shorter paragraphs, in bytes, are never repeated")
      ->needs(field)
      ->option_text("N");
  app.add_option("--min-words", min_words, "The same for those of fewer words")
      ->needs(field)
      ->option_text("N");
  app.add_option("--annotate", render.annotate,
                 "Leave repeated paragraphs in, and list them in this field:\n"
                 "[[begin, end], ...] in bytes of the text")
      ->needs(field)
      ->option_text("NAME");
  app.add_option_function<std::string>(
         "--drop-share",
         [this](const std::string& text) {
           const double share = ParseNumber("--drop-share", text);
           if (!(share >= 0 && share <= 1)) {
             throw InvalidArgument(fmt::format("--drop-share {}: it must be 0 to 1", text));
           }
           render.drop_share = share;
         },
         "Drop a record if more than this share of its text is repeated")
      ->needs(field)
      ->option_text("S");
}

KeyRule DedupArguments::Rule() const {
  KeyRule rule = input.Rule();
  if (paragraphs.empty()) return rule;
  if (!rule.json.empty() || rule.hex || rule.format.framing != RecordFormat::Framing::kDelimited) {
    throw InvalidArgument("--paragraphs says what the keys are, and that records are JSON lines");
  }
  rule.paragraphs = ParagraphRule{JsonPath(paragraphs), min_bytes, min_words};
  return rule;
}

class Dedup {
 public:
  explicit Dedup(const DedupArguments& arguments);
  int Run();

 private:
  void OpenOutputs();
  FilterFile LoadOrMake();
  void FilterChunk(Chunk& chunk);
  void WriteChunk(const Chunk& chunk);
  void WarnIfOverfull();
  void Finish();

  const DedupArguments& arguments_;
  KeyMaker maker_;
  Input input_;
  std::unique_ptr<Output> kept_;        // null if not wanted
  std::unique_ptr<Output> duplicates_;  // the same
  std::unique_ptr<Output> report_;
  std::optional<FileLock> lock_;  // on --seen
  FilterFile file_;               // --seen keeps its format
  AnyFilter& filter_;
  Engine hasher_;  // called by many threads at once, so not the one that writes
  Engine engine_;
  LossMeter loss_;
  Progress progress_;
  BadMeter bad_;
  Renderer renderer_;
  DedupResult result_;
};

bool ToStandardOutput(const std::unique_ptr<Output>& output, const std::string& name) {
  return output != nullptr && name == "-";
}

Dedup::Dedup(const DedupArguments& arguments)
    : arguments_(arguments),
      maker_(arguments.Rule()),
      input_((arguments.plan.plan(),
              arguments.input.Open(arguments.run.StageThreads()))),  // a bad plan is refused first
      file_((OpenOutputs(), LoadOrMake())),
      filter_(file_.filter),
      hasher_(arguments.run.ForHashing()),
      engine_(arguments.run.ForStages()),
      loss_(filter_),
      progress_(!((ToStandardOutput(kept_, arguments.output) ||
                   ToStandardOutput(duplicates_, arguments.duplicates)) &&
                  isatty(STDOUT_FILENO) == 1),
                input_.total_bytes()),
      bad_(arguments.input.Policy(), "dedup"),
      renderer_(arguments.render, maker_.rule(), bad_.policy()) {
  Place(engine_, filter_);
}

// Two names for one place, where what is written last would be all that is left.
void RequireApart(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const bool both = a == "-" && b == "-";
  if (both || (a != "-" && b != "-" &&
               fs::weakly_canonical(a, ignored) == fs::weakly_canonical(b, ignored) &&
               !fs::is_character_file(a, ignored))) {
    throw InvalidArgument(fmt::format("{} is to receive two outputs: give one of them another name",
                                      a == "-" ? "standard output" : a));
  }
}

void Dedup::OpenOutputs() {
  const DedupArguments& a = arguments_;
  std::vector<std::string> names;
  if (!a.count) names.push_back(a.output);
  for (const std::string& name : {a.duplicates, a.seen, a.report}) {
    if (!name.empty()) names.push_back(name);
  }
  for (size_t i = 0; i < names.size(); ++i) {
    for (size_t j = 0; j < i; ++j) RequireApart(names[j], names[i]);
  }
  const auto open = [&](const std::string& name) {
    auto output = std::make_unique<Output>(name, input_.format().end());
    RequireNoInput(*output, input_);
    return output;
  };
  if (!a.count) kept_ = open(a.output);
  if (!a.duplicates.empty()) duplicates_ = open(a.duplicates);
  if (!a.report.empty()) report_ = open(a.report);
  if (!a.seen.empty()) {
    RequireWritable(a.seen);
    lock_.emplace(a.seen);
  }
}

FilterFile Dedup::LoadOrMake() {
  const bool remembers = !arguments_.seen.empty();
  if (!remembers || !StatOf(arguments_.seen)) {
    const bool uncounted = maker_.rule().paragraphs.has_value();
    return {.filter = arguments_.plan.Make(input_, remembers || uncounted || arguments_.grow)};
  }
  RequireNoInput(arguments_.seen, input_);
  FilterFile file = LoadAny(arguments_.seen, "", LoadMode::kRead, arguments_.plan.secret.Read());
  arguments_.plan.RequireSame(file.filter, arguments_.seen);
  return file;
}

void Dedup::FilterChunk(Chunk& chunk) {
  bad_.Add(chunk, InputName(input_.names()[chunk.file]));
  chunk.MakeAnswers();
  const uint64_t fresh = InsertNew(engine_, filter_, chunk.HashedKeys(), chunk.answers);
  loss_.Add(filter_, fresh);
  result_.lines += chunk.records;
  result_.keys += chunk.keys;
  result_.fresh += fresh;
  result_.bytes = chunk.input_bytes;
  WarnIfOverfull();
  progress_.Show(chunk.input_bytes, result_.lines, filter_, loss_.lost());
}

void Dedup::WarnIfOverfull() {
  if (result_.overfull || !Overfull(filter_)) return;
  result_.overfull = true;
  progress_.Clear();
  fmt::print(stderr,
             "tamis dedup: warning: more than the {} distinct lines planned for: from here on more "
             "than {:.3g} of new lines are lost. Use a larger --expect.\n",
             Capacity(filter_), PromisedFpr(filter_));
}

void Dedup::WriteChunk(const Chunk& chunk) {
  result_.dropped += chunk.dropped;
  for (Output* output : {kept_.get(), duplicates_.get()}) {
    if (output == nullptr) continue;
    const bool kept = output == kept_.get();
    output->Append(kept ? renderer_.Header(chunk.header) : chunk.header);
    if (kept && renderer_.changes()) {
      output->AppendText(chunk.rendered, chunk.unterminated);
    } else if (renderer_.changes() || !chunk.bad.empty()) {
      output->AppendRecords(chunk, kept ? chunk.kept : chunk.others, true);
    } else {
      output->AppendRecords(chunk, chunk.answers, kept);
    }
  }
  if (!chunk.paused) return;
  // Nothing more to read for now: let readers of a pipe have what there is.
  if (kept_ != nullptr) kept_->FlushPipe();
  if (duplicates_ != nullptr) duplicates_->FlushPipe();
}

// Records first, then the filter that says they were seen: if the second fails, they come again.
void Dedup::Finish() {
  // What the filter calls seen must have been written, also after the machine has stopped; without
  // a filter to save, an output is no more precious than any other file.
  const Durability durability =
      arguments_.seen.empty() ? Durability::kRenamed : Durability::kSynced;
  if (kept_ != nullptr) kept_->Commit(durability);
  if (duplicates_ != nullptr) duplicates_->Commit(durability);
  if (!arguments_.seen.empty()) SaveAs(file_, arguments_.seen, file_.format);
}

int Dedup::Run() {
  const Clock::time_point start = Clock::now();
  result_.threads = arguments_.run.StageThreads();
  const Spec spec = HashSpec(filter_);
  WarnIfOverfull();
  Stages stages({
      .read = [&](Chunk& chunk) { return ReadRecords(input_, maker_, chunk); },
      .prepare = [&](Chunk& chunk) { maker_.Prepare(chunk, hasher_, spec); },
      .filter = [&](Chunk& chunk) { FilterChunk(chunk); },
      .render = [&](Chunk& chunk) { renderer_.Render(chunk); },
      .write = [&](Chunk& chunk) { WriteChunk(chunk); },
  });
  input_.OnLongRecord([&] { stages.AwaitEarlier(); });
  stages.Run(result_.threads);
  progress_.Clear();
  Finish();
  result_.seconds = SecondsSince(start);
  result_.bad = bad_.count();
  result_.bad_dropped = bad_.policy() == OnError::kDrop;
  result_.lost = std::min(loss_.Lost(filter_), static_cast<double>(result_.duplicates()));
  PrintSummary(result_, filter_, engine_);
  if (arguments_.count) PrintCounts(result_);
  if (report_ != nullptr) {
    report_->Append(ReportText(result_, filter_, engine_, input_.names()));
    report_->Commit(Durability::kRenamed);
  }
  return result_.bad > 0 || (arguments_.strict && result_.overfull) ? 1 : 0;
}

}  // namespace

void AddDedup(CLI::App& app, Action& run) {
  const auto a = std::make_shared<DedupArguments>();
  CLI::App* sub = app.add_subcommand("dedup", "Keep the first of equal lines, in input order");
  a->input.AddTo(*sub);
  a->input.AddTablesTo(*sub);
  auto* output = sub->add_option("-o,--output", a->output,
                                 "Write first occurrences to F (default: standard output)");
  output->option_text("F");
  a->plan.AddTo(*sub);
  sub->add_option(
         "--seen", a->seen,
         "Lines seen in earlier runs: load this filter if it is there, save it at the end. "
         "Made anew without --expect, it grows")
      ->option_text("F.tamis");
  sub->add_option("--duplicates", a->duplicates,
                  "Write the other lines to F, - for standard output")
      ->option_text("F");
  a->AddParagraphsTo(*sub);
  sub->add_flag("--count", a->count, "Print numbers instead of lines")->excludes(output);
  sub->add_flag("--strict", a->strict, "Exit with 1 if more lines came than were planned for");
  sub->add_flag("--grow", a->grow,
                "A filter that grows, whatever the input: never more than the rate is lost")
      ->excludes("--expect");
  sub->add_option("--report", a->report, "Write a report to F, as JSON")->option_text("F");
  a->run.AddTo(*sub);
  sub->footer(kExamples);
  sub->callback([a, &run] { run = [a] { return Dedup(*a).Run(); }; });
}

}  // namespace tamis::command
