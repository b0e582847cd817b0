#include "dedup_report.h"

#include <fmt/format.h>

#include "output.h"

namespace tamis::command {

namespace {

std::string_view Plural(int count) { return count == 1 ? "" : "s"; }

}  // namespace

void PrintSummary(const DedupResult& result, const AnyFilter& filter, const Engine& engine) {
  const bool many = result.keys > result.lines;
  fmt::print(stderr, "tamis dedup: {} lines in, {}{} new, {} duplicates\n", result.lines,
             many ? fmt::format("{} keys, ", result.keys) : "", result.fresh, result.duplicates());
  if (result.dropped > 0) fmt::print(stderr, "  {} dropped as repeated\n", result.dropped);
  if (result.bad > 0) {
    fmt::print(stderr, "  {} without a key, {}\n", result.bad,
               result.bad_dropped ? "dropped" : "kept");
  }
  // Digits far behind the point would look like more than they mean.
  const std::string lost = result.lost < 0.01
                               ? "less than 0.01"
                               : fmt::format("{:.{}f}", result.lost, result.lost < 10 ? 2 : 0);
  fmt::print(stderr, "  predicted wrongly dropped: {} lines (false-positive rate now {:.3g})\n",
             lost, ExpectedFpr(filter));
  fmt::print(stderr, "  {:.2f} s, {:.2f} Mlines/s, backend {}, target {}, {} thread{}\n",
             result.seconds, result.megalines_per_second(), engine.backend(), engine.target(),
             result.threads, Plural(result.threads));
  fmt::print(stderr, "  filter: {}, {:.0f} % full\n", Describe(filter), 100 * ExpectedFill(filter));
}

void PrintCounts(const DedupResult& result) {
  Output out("-");
  out.Append(fmt::format("lines {}\nnew {}\nduplicates {}\npredicted_loss {:.6g}\nerrors {}\n",
                         result.lines, result.fresh, result.duplicates(), result.lost, result.bad));
  out.Commit(Durability::kRenamed);
}

std::string ReportText(const DedupResult& result, const AnyFilter& filter, const Engine& engine,
                       const std::vector<std::string>& inputs) {
  Json json;
  json.BeginObject();
  json.Member("tamis", TAMIS_VERSION);
  json.Key("inputs").BeginArray();
  for (const std::string& name : inputs) json.Value(std::string_view(name));
  json.EndArray();
  json.Member("bytes", result.bytes);
  json.Member("lines", result.lines);
  json.Member("keys", result.keys);
  json.Member("new", result.fresh);
  json.Member("duplicates", result.duplicates());
  json.Member("errors", result.bad);
  json.Member("dropped", result.dropped);
  json.Member("predicted_loss", result.lost);
  json.Member("plan_passed", result.overfull);
  json.Member("seconds", result.seconds);
  json.Member("mlines_per_second", result.megalines_per_second());
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
