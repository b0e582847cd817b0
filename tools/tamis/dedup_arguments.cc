#include "dedup_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string_view>

#include "format.h"
#include "tamis/error.h"

namespace tamis::command {

void DedupArguments::AddTo(CLI::App& app) {
  app_ = &app;
  input.AddTo(app);
  input.AddTablesTo(app);
  CLI::Option* to = app.add_option("-o,--output", output,
                                   "Write first occurrences to F (default: standard output)");
  to->option_text("F");
  plan.AddTo(app);
  CLI::Option* memory = app.add_option("--seen", seen,
                                       "Lines seen in earlier runs: load this filter if it is "
                                       "there, save it at the end.\n"
                                       "Made anew without --expect, it grows");
  memory->option_text("F.tamis");
  app.add_option("--duplicates", duplicates, "Write the other lines to F, - for standard output")
      ->option_text("F");
  AddParagraphsTo(app);
  app.add_flag("--count", count, "Print numbers instead of lines")->excludes(to);
  app.add_flag("--strict", strict, "Exit with 1 if more lines came than were planned for");
  app.add_flag("--grow", grow,
               "A filter that grows, whatever the input: never more than the rate is lost")
      ->excludes("--expect");
  window.AddTo(app);
  proof.AddTo(app);
  AddCheckpointTo(app, memory);
  app.add_option("--report", report, "Write a report to F, as JSON")->option_text("F");
  run.AddTo(app);
}

void DedupArguments::AddCheckpointTo(CLI::App& app, CLI::Option* memory) {
  CLI::Option* interval =
      app.add_option_function<std::string>(
             "--checkpoint",
             [this](const std::string& text) {
               const bool time = !text.empty() && std::string_view("smhd").find(text.back()) !=
                                                      std::string_view::npos;
               checkpoint.emplace();
               if (time) {
                 checkpoint->seconds = ParseSeconds("--checkpoint", text);
               } else {
                 checkpoint->bytes = ParseBytes("--checkpoint", text);
                 if (checkpoint->bytes == 0) {
                   throw InvalidArgument("--checkpoint 0: it must be more");
                 }
               }
             },
             "Save the filter and how far it is so often (90s, 10m, 2h; or after so much\n"
             "input: 10GB), so that a killed run can go on. For files, not pipes")
          ->needs(memory)
          ->excludes("--exact")  // which reads its input twice
          ->excludes("--audit")
          ->option_text("INTERVAL");
  app.add_flag("--resume", resume,
               "Go on where a run of the same options and inputs was killed; begin if\n"
               "there was none; do nothing if it had finished")
      ->needs(interval);
}

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

std::vector<std::string> DedupArguments::Given(bool all) const {
  constexpr std::array<std::string_view, 7> kSameResult = {
      "--threads", "--backend", "--target", "--strict", "--report", "--checkpoint", "--resume"};
  std::vector<std::string> given;
  for (const CLI::Option* option : app_->get_options()) {
    const std::string name = option->get_name();
    if (option->empty() || !name.starts_with("-")) continue;
    if (!all && std::ranges::find(kSameResult, name) != kSameResult.end()) continue;
    given.push_back(fmt::format("{} {}", name, fmt::join(option->results(), " ")));
  }
  return given;
}

KeyRule DedupArguments::Rule() const {
  if (proof.wanted() && !seen.empty()) {
    throw InvalidArgument(
        "--exact and --audit compare with lines of the input: a filter of earlier runs, as --seen "
        "has it, holds none to compare with");
  }
  if (window.wanted() && (proof.wanted() || grow)) {
    throw InvalidArgument(
        "a window forgets: it goes without --grow, and without --exact and --audit, which compare "
        "with all lines before");
  }
  KeyRule rule = input.Rule();
  if (paragraphs.empty()) return rule;
  if (!rule.json.empty() || rule.hex || rule.form != KeyForm::kBytes ||
      rule.format.framing != RecordFormat::Framing::kDelimited) {
    throw InvalidArgument("--paragraphs says what the keys are, and that records are JSON lines");
  }
  rule.paragraphs = ParagraphRule{JsonPath(paragraphs), min_bytes, min_words};
  return rule;
}

}  // namespace tamis::command
