#include "arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>

#include "estimate.h"
#include "families.h"
#include "format.h"
#include "tamis/fold.h"
#include "tamis/machine.h"

namespace tamis::command {

namespace {

// Keys of the first layer where nothing is known: 2 MiB at the usual rate.
constexpr uint64_t kFirstCapacity = 1'000'000;

[[noreturn]] void Refuse(const std::string& name, const std::string& asked,
                         const std::string& found) {
  throw SpecMismatch(fmt::format("{}: asked for {}, but the file holds {}", name, asked, found));
}

}  // namespace

void AddFormat(CLI::App& app, std::string& format) {
  app.add_option("--format", format,
                 "Format of the filter's file (default: told by its content; tamis\n"
                 "convert --help lists them)")
      ->option_text("FORMAT");
}

void RunArguments::AddTo(CLI::App& app) {
  app.add_option_function<std::string>(
         "--threads",
         [this](const std::string& text) {
           const uint64_t count = ParseCount("--threads", text);
           if (count < 1 || count > Engine::kMaxThreads) {
             throw InvalidArgument(
                 fmt::format("--threads {}: it must be 1 to {}", text, int{Engine::kMaxThreads}));
           }
           threads = static_cast<int>(count);
         },
         "Threads; the output is the same for any number (default:\n"
         "TAMIS_THREADS, else all processors)")
      ->option_text("N");
  app.add_option("--backend", backend, "Pin the backend (TAMIS_BACKEND; tamis info --backends)")
      ->option_text("NAME");
  app.add_option("--target", target, "Pin the instruction set (TAMIS_TARGET)")->option_text("NAME");
}

void SecretArgument::AddTo(CLI::App& app) {
  app.add_option("--secret", file, "The 16 bytes of the secret key of siphash_2_4, in file F")
      ->option_text("F");
}

Secret SecretArgument::Read() const {
  if (file.empty()) return {};
  std::ifstream in(file, std::ios::binary);
  if (!in) throw FileError(file + ": cannot read the secret key");
  std::string bytes(17, '\0');  // one more would be too many
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<size_t>(in.gcount()));
  try {
    return Secret::FromBytes(bytes);
  } catch (const InvalidArgument& error) {
    throw FileError(file + ": " + error.what());
  }
}

int RunArguments::StageThreads() const {
  constexpr int kMost = 12;
  int count = threads;
  const char* text = std::getenv("TAMIS_THREADS");  // Engine refuses bad ones
  if (count == 0 && text != nullptr) {
    std::from_chars(text, text + std::string_view(text).size(), count);
  }
  return std::min(count > 0 ? count : ThisMachine().threads, kMost);
}

EngineOptions RunArguments::ForStages() const {
  return {backend, target, backend.empty() ? 1 : threads};
}

void PlanArguments::AddTo(CLI::App& app) {
  app.add_option_function<std::string>(
         "--expect", [this](const std::string& text) { expect = ParseCount("--expect", text); },
         "Distinct lines to plan for: 5000, 10M, 1.5G. Without it, a filter for\n"
         "all lines of the input where that is files, else one that grows")
      ->option_text("N");
  app.add_option_function<std::string>(
         "--fpr", [this](const std::string& text) { fpr = ParseRate("--fpr", text); },
         "False-positive rate when N lines are in: 0.001 or 0.1% (default 0.001)")
      ->option_text("P");
  app.add_option("--variant", variant,
                 "Layout of the bits: split_block (default), split_block_512,\n"
                 "classic, cache_line, register_blocked")
      ->option_text("NAME");
  app.add_option("--hash", hash,
                 "Hash of the lines: xxh64 (default), xxh3, murmur3_x64_128, fnv1a_64,\n"
                 "siphash_2_4 (with --secret)")
      ->option_text("NAME");
  secret.AddTo(app);
}

void PlanArguments::AddSizesTo(CLI::App& app) {
  app.add_option_function<std::string>(
         "--bits-per-key",
         [this](const std::string& text) { bits_per_key = ParseNumber("--bits-per-key", text); },
         "With --expect: size by bits a key instead of a rate")
      ->option_text("B");
  app.add_option_function<std::string>(
         "--bytes", [this](const std::string& text) { bytes = ParseBytes("--bytes", text); },
         "Size by bytes instead: 64M, 64MiB")
      ->option_text("S");
  app.add_option("--k", k,
                 "Bits that a line sets, where the variant leaves it open (default: the best)")
      ->option_text("N");
  app.add_option("--seed", seed, "Seed of the hash (default 0)")->option_text("N");
  app.add_flag("--interop", interop, "Keep within what Parquet writers and Arrow accept");
}

PlanOptions PlanArguments::options() const {
  const HashScheme scheme = hash ? HashFromName(*hash) : HashScheme::kXxh64;
  return {.variant = variant ? VariantFromName(*variant) : Variant::kSplitBlock,
          .seed = seed,
          .interop = interop,
          .hash = scheme,
          .k = k,
          .secret = scheme == HashScheme::kSipHash24 ? secret.Read() : Secret{}};
}

std::optional<Plan> PlanArguments::plan() const {
  if (bytes) {
    if (expect || fpr || bits_per_key) {
      throw InvalidArgument(
          "--bytes gives the size: it goes without --expect, --fpr and "
          "--bits-per-key");
    }
    return PlanForBytes(*bytes, options());
  }
  if (bits_per_key) {
    if (!expect) throw InvalidArgument("--bits-per-key needs --expect");
    if (fpr) throw InvalidArgument("--bits-per-key gives the size: it goes without --fpr");
    return HalvablePlan(PlanForBitsPerKey(*expect, *bits_per_key, options()));
  }
  if (expect) return HalvablePlan(PlanFor(*expect, rate(), options()));
  return std::nullopt;
}

AnyFilter PlanArguments::Make(const Input& input, bool grow) const {
  if (const std::optional<Plan> given = plan()) return Filter(*given);
  // Lines can be counted in a sample; no other kind of record.
  const bool lines = input.format().framing == RecordFormat::Framing::kDelimited;
  if (grow || !lines || !input.total_bytes() || input.compressed()) {
    return ScalableFilter(FirstCapacity(input), rate(), options());
  }
  const uint64_t most = EstimateRecords(input.names(), input.format().delimiter);
  return Filter(HalvablePlan(PlanFor(most, rate(), options())));
}

// Of compressed lines a guess, so that one layer mostly is enough: each is asked for every line.
uint64_t PlanArguments::FirstCapacity(const Input& input) {
  const bool lines = input.format().framing == RecordFormat::Framing::kDelimited;
  if (!lines || !input.total_bytes() || !input.compressed()) return kFirstCapacity;
  constexpr double kMargin = 1.35;     // what is decompressed ahead while it is guessed counts too
  constexpr uint64_t kBytesAKey = 16;  // far more than it takes: a small part of the memory at most
  const uint64_t guess =
      GuessRecords(input.names(), input.format().delimiter, *input.total_bytes());
  return std::clamp(static_cast<uint64_t>(kMargin * static_cast<double>(guess)), kFirstCapacity,
                    std::max(kFirstCapacity, MemoryLimit() / kBytesAKey));
}

void PlanArguments::RequireSame(const AnyFilter& filter, const std::string& name) const {
  const std::optional<Plan> asked = plan();
  if (!asked) return RequireAlike(filter, name);
  const auto* fixed = std::get_if<Filter>(&filter);
  // One that was made before sizes were rounded is as good.
  if (fixed != nullptr &&
      (fixed->spec() == asked->spec || HalvablePlan(fixed->plan()).spec == asked->spec)) {
    return;
  }
  Refuse(name, fmt::format("[{}] for {} keys", ToString(asked->spec), asked->capacity),
         fmt::format("[{}]", Describe(filter)));
}

void PlanArguments::RequireAlike(const AnyFilter& filter, const std::string& name) const {
  const Spec spec = HashSpec(filter);
  if (variant && options().variant != spec.variant) {
    Refuse(name, *variant, std::string(NameOf(spec.variant)));
  }
  if (hash && options().hash != spec.hash) Refuse(name, *hash, std::string(NameOf(spec.hash)));
  if (fpr && *fpr != PromisedFpr(filter)) {
    Refuse(name, fmt::format("rate {}", *fpr), fmt::format("rate {}", PromisedFpr(filter)));
  }
}

}  // namespace tamis::command
