#include "dedup_arguments.h"

#include <fmt/format.h>

#include "format.h"
#include "tamis/error.h"

namespace tamis::command {

void DedupArguments::AddTo(CLI::App& app) {
  input.AddTo(app);
  input.AddTablesTo(app);
  CLI::Option* to = app.add_option("-o,--output", output,
                                   "Write first occurrences to F (default: standard output)");
  to->option_text("F");
  plan.AddTo(app);
  app.add_option("--seen", seen,
                 "Lines seen in earlier runs: load this filter if it is there, save it at the end. "
                 "Made anew without --expect, it grows")
      ->option_text("F.tamis");
  app.add_option("--duplicates", duplicates, "Write the other lines to F, - for standard output")
      ->option_text("F");
  AddParagraphsTo(app);
  app.add_flag("--count", count, "Print numbers instead of lines")->excludes(to);
  app.add_flag("--strict", strict, "Exit with 1 if more lines came than were planned for");
  app.add_flag("--grow", grow,
               "A filter that grows, whatever the input: never more than the rate is lost")
      ->excludes("--expect");
  proof.AddTo(app);
  app.add_option("--report", report, "Write a report to F, as JSON")->option_text("F");
  run.AddTo(app);
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

KeyRule DedupArguments::Rule() const {
  if (proof.wanted() && !seen.empty()) {
    throw InvalidArgument(
        "--exact and --audit compare with lines of the input: a filter of earlier runs, as --seen "
        "has it, holds none to compare with");
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
