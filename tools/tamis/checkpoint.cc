#include "checkpoint.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "crash_point.h"
#include "file_lock.h"
#include "format.h"
#include "json_field.h"
#include "tamis/atomic_file.h"
#include "tamis/error.h"
#include "tamis/file.h"

namespace tamis::command {

namespace {

namespace fs = std::filesystem;
using Phase = CheckpointState::Phase;

std::string StateName(const std::string& seen) { return RealName(seen) + ".checkpoint"; }

std::optional<CheckpointState> ReadState(const std::string& path) {
  if (!StatOf(path)) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in) throw FileError(path + ": cannot be read");
  return ParseState(text, path);
}

// Whether there is work in it that would be lost.
bool Unfinished(const std::optional<CheckpointState>& state) {
  return state && state->generation > 0 && state->phase != Phase::kFinished;
}

std::string HowToGoOn(const std::string& path, const CheckpointState& state) {
  std::vector<std::string> files = {path};
  files.insert(files.end(), state.partials.begin(), state.partials.end());
  return fmt::format(
      "{}: left by a run that did not finish: go on with it by the same command and --resume, or "
      "remove {} to begin anew",
      path, fmt::join(files, " and "));
}

FileIdentity Identify(const std::string& name, const struct stat& status) {
  constexpr int64_t kNano = 1'000'000'000;
  return {.name = name,
          .size = static_cast<uint64_t>(status.st_size),
          .modified = status.st_mtim.tv_sec * kNano + status.st_mtim.tv_nsec};
}

// What a run is about, as its state says it.
CheckpointState WorkOf(const DedupArguments& arguments, const Input& input) {
  CheckpointState work;
  work.options = arguments.Given(false);
  for (const std::string& name : input.names()) {
    const std::optional<struct stat> status = InputStatus(name);
    if (name == "-" || !status || !S_ISREG(status->st_mode)) {
      throw InvalidArgument(fmt::format(
          "--checkpoint: {} cannot be read again from where a killed run was: give files",
          InputName(name)));
    }
    work.inputs.push_back(Identify(name, *status));
  }
  if (const auto status = StatOf(arguments.seen)) work.seen = Identify(arguments.seen, *status);
  return work;
}

// Those of `a` that are not in `b`.
std::string Only(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::string> only;
  std::ranges::copy_if(a, std::back_inserter(only), [&](const std::string& text) {
    return std::ranges::find(b, text) == b.end();
  });
  return only.empty() ? "none of it" : fmt::format("{}", fmt::join(only, " "));
}

// Throws FileError, naming what differs, unless `now` is about the same work as `then`.
void RequireSameWork(const std::string& path, const CheckpointState& then, CheckpointState now) {
  now = ParseState(ToText(now), path);  // names as a file gives them back
  const auto refuse = [&](const std::string& what) {
    throw FileError(fmt::format("{}: cannot go on: {}", path, what));
  };
  if (then.options != now.options) {
    refuse(fmt::format("its options were others: then {}, now {}", Only(then.options, now.options),
                       Only(now.options, then.options)));
  }
  for (size_t i = 0; i < std::max(then.inputs.size(), now.inputs.size()); ++i) {
    if (i >= now.inputs.size()) refuse(then.inputs[i].name + " is no longer an input");
    if (i >= then.inputs.size()) refuse(now.inputs[i].name + " was no input");
    if (then.inputs[i].name != now.inputs[i].name) {
      refuse(fmt::format("input {} was {}, now it is {}", i + 1, then.inputs[i].name,
                         now.inputs[i].name));
    }
    if (then.inputs[i] != now.inputs[i]) refuse(now.inputs[i].name + " has changed since");
  }
  if (then.phase == Phase::kRunning && then.seen != now.seen) {
    refuse(fmt::format("{} has changed since", then.seen ? then.seen->name : now.seen->name));
  }
}

std::string FilterName(const std::string& path, uint64_t generation) {
  return fmt::format("{}.{}", path, generation);
}

void Remove(const std::string& path) {
  std::error_code ignored;  // what stays does no harm
  fs::remove(path, ignored);
}

// What killed runs left beside the state at `path`: generations other than `kept`, and files that
// were not yet renamed.
void RemoveStrays(const std::string& path, uint64_t kept) {
  const std::string name = fs::path(path).filename().string();
  std::error_code ignored;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(path).parent_path(), ignored)) {
    const std::string other = entry.path().filename().string();
    const bool generation =
        other.starts_with(name + ".") && other != FilterName(name, kept) &&
        other.find_first_not_of("0123456789", name.size() + 1) == std::string::npos;
    const bool temporary = other.starts_with("." + name + ".") && other.ends_with(".tmp");
    if (generation || temporary) Remove(entry.path().string());
  }
}

}  // namespace

Checkpoint::Checkpoint(const DedupArguments& arguments, const Input& input,
                       const std::vector<std::string>& outputs)
    : path_(StateName(arguments.seen)), interval_(*arguments.checkpoint) {
  RequireJson();
  CheckpointState work = WorkOf(arguments, input);
  const std::optional<CheckpointState> found = ReadState(path_);
  if (Unfinished(found)) {
    if (!arguments.resume) throw FileError(HowToGoOn(path_, *found));
    RequireSameWork(path_, *found, std::move(work));
    if (found->outputs.size() != outputs.size())
      throw FileError(path_ + ": its outputs are others");
    state_ = *found;
    resumed_ = true;
    RemoveStrays(path_, state_.generation);
    return;
  }
  state_ = std::move(work);
  for (const std::string& name : outputs) {
    state_.partials.push_back(PartialName(name));
    state_.outputs.emplace_back();
  }
  const bool begun = found && found->generation == 0;
  const std::vector<std::string> ours = begun ? found->partials : std::vector<std::string>();
  for (const std::string& name : ParseState(ToText(state_), path_).partials) {
    if (StatOf(name) && std::ranges::find(ours, name) == ours.end()) {
      throw FileError(name +
                      ": in the way: another run writes it, or left it; if none does, remove it");
    }
  }
  RemoveStrays(path_, state_.generation);
  Write();
  CrashPoint();
}

Checkpoint::~Checkpoint() {
  if (state_.generation > 0) return;
  for (const std::string& name : state_.partials) Remove(name);
  Remove(path_);
}

AnyFilter Checkpoint::LoadFilter(const Secret& secret) const {
  const std::string name = FilterName(path_, state_.generation);
  AnyFilter filter = Load(name, LoadMode::kRead, secret);
  if (Inserted(filter) != state_.inserted) {
    throw FileError(fmt::format("{}: it holds {} keys; {} says {}", name, Inserted(filter), path_,
                                state_.inserted));
  }
  return filter;
}

bool Checkpoint::Due(uint64_t text) const {
  const uint64_t bytes = text - saved_text_;
  if (bytes == 0) return false;
  if (interval_.bytes) return bytes >= *interval_.bytes;
  return SecondsSince(saved_at_) >= *interval_.seconds;
}

void Checkpoint::Save(Phase phase, const AnyFilter& filter, const CheckpointState& progress,
                      uint64_t text) {
  state_.outputs = progress.outputs;
  state_.position = progress.position;
  state_.result = progress.result;
  state_.loss = progress.loss;
  state_.inserted = Inserted(filter);
  state_.phase = phase;
  ++state_.generation;
  tamis::Save(filter, FilterName(path_, state_.generation));
  CrashPoint();
  Write();
  CrashPoint();
  Remove(FilterName(path_, state_.generation - 1));
  saved_at_ = Clock::now();
  saved_text_ = text;
}

void Checkpoint::Finish(int exit_code) {
  state_.phase = Phase::kFinished;
  state_.exit_code = exit_code;
  Write();
  CrashPoint();
  Remove(FilterName(path_, state_.generation));
}

void Checkpoint::Write() const {
  AtomicFile file(path_);
  file.Append(ToText(state_));
  file.Commit(Durability::kSynced);
}

std::optional<int> FinishedEarlier(const DedupArguments& arguments) {
  const std::string path = StateName(arguments.seen);
  if (!StatOf(path)) return std::nullopt;
  const FileLock lock(arguments.seen);
  const std::optional<CheckpointState> found = ReadState(path);
  if (!found || found->phase != Phase::kFinished) return std::nullopt;
  const Input input = arguments.input.Open(1);
  RequireSameWork(path, *found, WorkOf(arguments, input));
  if (!StatOf(arguments.seen)) throw FileError(arguments.seen + ": gone since its run finished");
  RemoveStrays(path, 0);  // it may have been killed before it did
  return found->exit_code;
}

void RequireNoCheckpoint(const std::string& seen) {
  const std::string path = StateName(seen);
  if (const auto found = ReadState(path); Unfinished(found)) {
    throw FileError(HowToGoOn(path, *found));
  }
}

}  // namespace tamis::command
