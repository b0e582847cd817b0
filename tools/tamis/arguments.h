// Options that several subcommands share: each group is a struct that adds its options to a
// subcommand and holds what was given.
#ifndef TAMIS_TOOLS_ARGUMENTS_H_
#define TAMIS_TOOLS_ARGUMENTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "command_line.h"
#include "input.h"
#include "tamis/engine.h"
#include "tamis/file.h"
#include "tamis/sizing.h"

namespace tamis::command {

/// Adds --format, for a filter's file that is to be read as what it does not look like.
void AddFormat(CLI::App& app, std::string& format);

/// What runs.
struct RunArguments {
  int threads = 0;
  std::string backend;
  std::string target;

  void AddTo(CLI::App& app);
  /// Threads that pass chunks through their stages: as given, or TAMIS_THREADS, or the machine's.
  /// At most 12: the stages that go in order keep fewer than that busy, and each may take 4.7 MiB,
  /// for a chunk of empty lines.
  int StageThreads() const;
  /// For the stages: one thread in each call, since the stages are the threads, unless a backend
  /// was asked for.
  EngineOptions ForStages() const;
  /// For calls that many stages make at once.
  EngineOptions ForHashing() const { return {backend, target, 1}; }
  /// For calls on whole filters.
  EngineOptions ForAll() const { return {backend, target, threads}; }
};

/// The key of a keyed hash: in a file, since command lines are for all to see.
struct SecretArgument {
  std::string file;

  void AddTo(CLI::App& app);
  /// Zeros if no file was given. Throws FileError unless it has 16 bytes.
  Secret Read() const;
};

/// Which filter to make.
struct PlanArguments {
  static constexpr double kFpr = 0.001;

  std::optional<uint64_t> expect;
  std::optional<double> fpr;
  std::optional<std::string> variant;
  std::optional<std::string> hash;
  SecretArgument secret;
  int k = 0;
  std::optional<double> bits_per_key;
  std::optional<uint64_t> bytes;
  uint64_t seed = 0;
  bool interop = false;

  void AddTo(CLI::App& app);       ///< expect, fpr, variant, hash, secret
  void AddSizesTo(CLI::App& app);  ///< the others

  PlanOptions options() const;
  double rate() const { return fpr.value_or(kFpr); }
  /// The plan that the options alone make, if they do.
  std::optional<Plan> plan() const;
  /// The filter asked for; if its size was not given, one sized for `input` where that is files of
  /// plain lines and `grow` is false, or else a scalable one, whose first layer is as large as
  /// compressed lines let guess.
  AnyFilter Make(const Input& input, bool grow) const;
  /// Throws SpecMismatch if `filter`, read from `name`, is other than what was asked for.
  void RequireSame(const AnyFilter& filter, const std::string& name) const;
  /// The same of all but its size.
  void RequireAlike(const AnyFilter& filter, const std::string& name) const;

 private:
  static uint64_t FirstCapacity(const Input& input);
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_ARGUMENTS_H_
