#include "dedup_report.h"

#include <fmt/format.h>

#include "format.h"
#include "libraries.h"
#include "output.h"

namespace tamis::command {

namespace {

std::string_view Plural(int count) { return count == 1 ? "" : "s"; }

void PrintLoss(double lost, const AnyFilter& filter) {
  // Digits far behind the point would look like more than they mean.
  const std::string number =
      lost < 0.01 ? "less than 0.01" : fmt::format("{:.{}f}", lost, lost < 10 ? 2 : 0);
  fmt::print(stderr, "  predicted wrongly dropped: {} lines (false-positive rate now {:.3g})\n",
             number, ExpectedFpr(filter));
}

void PrintProof(const Proof& proof, bool exact) {
  const std::string spilled =
      proof.spilled_bytes == 0 ? "" : ", with " + ByteText(proof.spilled_bytes) + " on disk";
  fmt::print(stderr, "  {} of {} called duplicates were false, {} (read {} times{})\n", proof.wrong,
             proof.suspects, exact ? "and kept" : "and lost", proof.readings, spilled);
}

void WriteTexts(Json& json, std::string_view key, const std::vector<std::string>& texts) {
  json.Key(key).BeginArray();
  for (const std::string& text : texts) json.Value(std::string_view(text));
  json.EndArray();
}

}  // namespace

void WriteCounts(Json& json, const DedupResult& result) {
  json.Member("bytes", result.bytes);
  json.Member("lines", result.lines);
  json.Member("keys", result.keys);
  json.Member("new", result.fresh);
  json.Member("duplicates", result.duplicates());
  json.Member("errors", result.bad);
  json.Member("dropped", result.dropped);
  json.Member("plan_passed", result.overfull);
  json.Member("seconds", result.seconds);
}

void PrintSummary(const DedupResult& result, const AnyFilter& filter, const Engine& engine) {
  const bool many = result.keys > result.lines;
  fmt::print(stderr, "tamis dedup: {} lines in, {}{} new, {} duplicates\n", result.lines,
             many ? fmt::format("{} keys, ", result.keys) : "", result.fresh, result.duplicates());
  if (result.dropped > 0) fmt::print(stderr, "  {} dropped as repeated\n", result.dropped);
  if (result.bad > 0) {
    fmt::print(stderr, "  {} without a key, {}\n", result.bad,
               result.bad_dropped ? "dropped" : "kept");
  }
  if (result.proof) PrintProof(*result.proof, result.exact);
  if (!result.exact) PrintLoss(result.lost, filter);
  fmt::print(stderr, "  {:.2f} s, {:.2f} Mlines/s, backend {}, target {}, {} thread{}\n",
             result.seconds, result.megalines_per_second(), engine.backend(), engine.target(),
             result.threads, Plural(result.threads));
  fmt::print(stderr, "  filter: {}, {:.0f} % full\n", Describe(filter), 100 * ExpectedFill(filter));
}

void PrintCounts(const DedupResult& result) {
  Output out("-");
  out.Append(fmt::format("lines {}\nnew {}\nduplicates {}\npredicted_loss {:.6g}\nerrors {}\n",
                         result.lines, result.fresh, result.duplicates(), result.lost, result.bad));
  if (result.proof) {
    out.Append(fmt::format("called_duplicates {}\nfalse_duplicates {}\n", result.proof->suspects,
                           result.proof->wrong));
  }
  out.Commit(Durability::kRenamed);
}

std::string ReportText(const DedupResult& result, const AnyFilter& filter, const Engine& engine,
                       const ReportFacts& facts) {
  Json json;
  json.BeginObject();
  json.Member("tamis", TAMIS_VERSION);
  json.Key("libraries").BeginObject();
  for (const auto& [name, version] : LibraryVersions()) {
    json.Member(name, std::string_view(version));
  }
  json.EndObject();
  WriteTexts(json, "options", facts.options);
  WriteTexts(json, "inputs", facts.inputs);
  WriteCounts(json, result);
  json.Member("predicted_loss", result.lost);
  if (result.proof) {
    json.Key("proof").BeginObject();
    json.Member("exact", result.exact);
    json.Member("called_duplicates", result.proof->suspects);
    json.Member("false_duplicates", result.proof->wrong);
    json.Member("readings", static_cast<uint64_t>(result.proof->readings));
    json.Member("spilled_bytes", result.proof->spilled_bytes);
    json.EndObject();
  }
  json.Member("mlines_per_second", result.megalines_per_second());
  json.Key("stage_seconds").BeginObject();
  json.Member("read", facts.stages.read - facts.checkpoints);
  json.Member("prepare", facts.stages.prepare);
  json.Member("filter", facts.stages.filter);
  json.Member("render", facts.stages.render);
  json.Member("write", facts.stages.write);
  json.Member("checkpoints", facts.checkpoints);
  json.EndObject();
  json.Member("backend", engine.backend());
  json.Member("target", engine.target());
  json.Member("threads", result.threads);
  json.Key("filter").BeginObject();
  WriteMembers(json, filter);
  json.Member("fill", Fill(filter));
  json.Member("observed_fpr", ObservedFpr(filter));
  json.EndObject();
  json.EndObject();
  return json.Text();
}

}  // namespace tamis::command
