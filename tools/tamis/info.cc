// tamis info: what a filter's file says, and what its bits say; or what this machine can run.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "arguments.h"
#include "command.h"
#include "families.h"
#include "format.h"
#include "json.h"
#include "output.h"
#include "parquet_verbs.h"
#include "tamis/formats.h"
#include "tamis/machine.h"
#include "tamis/parquet.h"

namespace tamis::command {

namespace {

struct InfoArguments {
  std::string file;
  std::string format;
  SecretArgument secret;
  bool json = false;
  bool verify = false;
  bool backends = false;
};

struct Measured {
  double fill;
  double observed_fpr;
};

std::string Text(const std::string& name, const FilterFile& file, const Measured& measured,
                 bool verified) {
  const AnyFilter& filter = file.filter;
  const Spec spec = HashSpec(filter);
  const bool single = std::holds_alternative<Filter>(filter);
  std::string text = fmt::format("file           {}\n", OneLine(name));
  const auto line = [&](std::string_view label, const auto& value) {
    text += fmt::format("{:<14} {}\n", label, value);
  };
  line("format", file.format);
  line("family", FamilyName(filter));
  line("variant", NameOf(spec.variant));
  line("hash", fmt::format("{}, seed {}", NameOf(spec.hash), spec.seed));
  line("k", fmt::format("{} bits set for a key", spec.k));
  if (spec.classic()) {
    line("probe", NameOf(spec.probe));
    if (single) line("bits", spec.m);
  } else if (single) {
    line("blocks", spec.blocks);
  }
  line("bytes", fmt::format("{} ({})", Bytes(filter), ByteText(Bytes(filter))));
  line("inserted", fmt::format("{}{}", file.counted ? "" : "about ", Inserted(filter)) +
                       (file.counted ? "" : ", by the bits: the file does not say"));
  if (!file.attached.empty()) line("attached", fmt::format("{} bytes", file.attached.size()));
  if (single) {
    line("planned for", Capacity(filter) == 0 ? std::string("no number of keys")
                                              : fmt::format("{} keys{}", Capacity(filter),
                                                            Overfull(filter) ? ": overfull" : ""));
  } else if (const auto* growing = std::get_if<ScalableFilter>(&filter)) {
    line("first layer", fmt::format("{} keys", growing->first_capacity()));
  } else if (const auto* window = std::get_if<WindowedFilter>(&filter)) {
    line("window", Describe(window->window()) + (Overfull(filter) ? ": overfull" : ""));
    line("current", fmt::format("generation {}", window->current()));
  }
  for (const NamedLayer& layer : NamedLayers(filter)) {
    line("  " + layer.name, fmt::format("{} of {} keys, {} blocks, rate {:.4g}",
                                        layer.filter->inserted(), layer.filter->plan().capacity,
                                        layer.filter->spec().blocks, layer.filter->plan().fpr));
  }
  if (PromisedFpr(filter) != 0) line("rate promised", fmt::format("{:.4g}", PromisedFpr(filter)));
  line("rate expected", fmt::format("{:.4g} from the number of keys", ExpectedFpr(filter)));
  line("rate observed", fmt::format("{:.4g} from the bits", measured.observed_fpr));
  line("fill", fmt::format("{:.2f} % of bits set", 100 * measured.fill));
  if (file.format != "tamis") {
    line("checksums", "none in this format");
  } else {
    line("checksums", verified ? "verified" : "header verified, body not (--verify)");
  }
  return text;
}

std::string JsonText(const std::string& name, const FilterFile& file, const Measured& measured,
                     bool verified) {
  Json json;
  json.BeginObject();
  json.Member("file", std::string_view(name));
  json.Member("format", std::string_view(file.format));
  WriteMembers(json, file.filter);
  json.Member("counted", file.counted);
  json.Member("attached_bytes", file.attached.size());
  json.Member("observed_fpr", measured.observed_fpr);
  json.Member("fill", measured.fill);
  json.Member("body_verified", verified && file.format == "tamis");
  json.EndObject();
  return json.Text();
}

std::string BackendsText(bool as_json) {
  const Engine chosen;
  Json json;
  json.BeginObject();
  json.Key("backends").BeginArray();
  std::string text = "backends  ";
  std::string unavailable;
  for (const Backend* backend : Backends()) {
    const std::string reason = backend->Unavailable();
    if (!reason.empty()) {
      unavailable += fmt::format("           not {}: {}\n", backend->name(), reason);
      continue;
    }
    json.Value(backend->name());
    text += fmt::format(" {}", backend->name());
  }
  json.EndArray().Key("unavailable").BeginObject();
  for (const Backend* backend : Backends()) {
    const std::string reason = backend->Unavailable();
    if (!reason.empty()) json.Member(backend->name(), std::string_view(reason));
  }
  json.EndObject().Key("targets").BeginArray();
  text += "\n" + unavailable + "targets   ";
  for (const std::string_view target : TargetNames()) {
    json.Value(target);
    text += fmt::format(" {}", target);
  }
  json.EndArray();
  json.Key("chosen").BeginObject();
  json.Member("backend", chosen.backend());
  json.Member("target", chosen.target());
  json.Member("threads", chosen.threads());
  json.EndObject().EndObject();
  text += fmt::format("\nchosen     {}, {}, threads {}\n", chosen.backend(), chosen.target(),
                      chosen.threads());
  return as_json ? json.Text() : text;
}

std::string FileText(const InfoArguments& arguments) {
  if (arguments.file.empty()) throw InvalidArgument("info needs a filter's file, or --backends");
  if (arguments.format.empty() && IsParquet(arguments.file)) {
    return ParquetText(arguments.file, arguments.json);
  }
  const FilterFile file =
      LoadAny(arguments.file, arguments.format, LoadMode::kMap, arguments.secret.Read());
  if (arguments.verify && file.format == "tamis") VerifyFile(arguments.file);
  const Measured measured = {.fill = Fill(file.filter), .observed_fpr = ObservedFpr(file.filter)};
  return (arguments.json ? JsonText : Text)(arguments.file, file, measured, arguments.verify);
}

int Run(const InfoArguments& arguments) {
  Output out("-");
  out.Append(arguments.backends ? BackendsText(arguments.json) : FileText(arguments));
  out.Commit(Durability::kRenamed);
  return 0;
}

}  // namespace

void AddInfo(CLI::App& app, Action& run) {
  const auto a = std::make_shared<InfoArguments>();
  CLI::App* sub = app.add_subcommand("info", "Tell all about a filter, or what this machine runs");
  sub->add_option("FILTER", a->file, "A filter's file, or a Parquet file")->option_text(" ");
  AddFormat(*sub, a->format);
  a->secret.AddTo(*sub);
  sub->add_flag("--json", a->json, "Print JSON");
  sub->add_flag("--verify", a->verify, "Check every checksum first");
  sub->add_flag("--backends", a->backends, "Backends and instruction sets of this machine");
  sub->footer(
      "Examples:\n  tamis info --verify seen.tamis\n  tamis info feed.bloom\n  tamis info "
      "table.parquet\n  tamis info --backends");
  sub->callback([a, &run] { run = [a] { return Run(*a); }; });
}

}  // namespace tamis::command
