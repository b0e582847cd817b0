#include "dedup_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "crash_point.h"
#include "format.h"
#include "tamis/atomic_file.h"

namespace tamis::command {

namespace {

bool ToStandardOutput(const std::unique_ptr<Output>& output, const std::string& name) {
  return output != nullptr && name == "-";
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

}  // namespace

DedupRun::DedupRun(const DedupArguments& arguments)
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
  if (checkpoint_ && checkpoint_->resumed()) GoOn();
  if (!arguments.proof.wanted()) return;
  second_pass_.emplace(input_, maker_.rule(), HashSpec(filter_), arguments.proof.memory,
                       arguments.run.ForHashing());
}

void DedupRun::OpenOutputs() {
  const DedupArguments& a = arguments_;
  std::vector<std::string> names;
  if (!a.count) names.push_back(a.output);
  for (const std::string& name : {a.duplicates, a.seen, a.report}) {
    if (!name.empty()) names.push_back(name);
  }
  for (size_t i = 0; i < names.size(); ++i) {
    for (size_t j = 0; j < i; ++j) RequireApart(names[j], names[i]);
  }
  if (!a.seen.empty()) {
    RequireWritable(a.seen);
    lock_.emplace(a.seen);
    if (!a.checkpoint) RequireNoCheckpoint(a.seen);
  }
  std::vector<std::string> growing;
  if (!a.count) growing.push_back(a.output);
  if (!a.duplicates.empty()) growing.push_back(a.duplicates);
  for (const std::string& name : growing) {
    if (name != "-") RequireNoInput(name, input_);
  }
  if (a.checkpoint) checkpoint_.emplace(a, input_, growing);
  if (!a.count) kept_ = OpenGrowing(a.output, 0);
  if (!a.duplicates.empty()) duplicates_ = OpenGrowing(a.duplicates, growing.size() - 1);
  if (!a.report.empty()) {
    report_ = std::make_unique<Output>(a.report);
    RequireNoInput(*report_, input_);
  }
}

// Null if it was finished before.
std::unique_ptr<Output> DedupRun::OpenGrowing(const std::string& name, size_t number) {
  const std::string_view end = input_.format().end();
  if (!checkpoint_) {
    auto output = std::make_unique<Output>(name, end);
    RequireNoInput(*output, input_);
    return output;
  }
  if (checkpoint_->finishing() && !StatOf(PartialName(name))) {
    if (!StatOf(name)) {
      fmt::print(stderr, "tamis dedup: warning: {} is gone: taken to have been written\n",
                 OneLine(name));
    }
    return nullptr;
  }
  return std::make_unique<Output>(name, end, checkpoint_->state().outputs[number]);
}

FilterFile DedupRun::LoadOrMake() {
  if (checkpoint_ && checkpoint_->resumed()) return LoadCheckpoint();
  const bool remembers = !arguments_.seen.empty();
  if (!remembers || !StatOf(arguments_.seen)) {
    if (arguments_.window.wanted()) return {.filter = arguments_.window.Make(arguments_.plan)};
    const bool uncounted = maker_.rule().paragraphs.has_value();
    return {.filter = arguments_.plan.Make(input_, remembers || uncounted || arguments_.grow)};
  }
  RequireNoInput(arguments_.seen, input_);
  FilterFile file = LoadAny(arguments_.seen, "", LoadMode::kRead, arguments_.plan.secret.Read());
  if (arguments_.window.wanted()) {
    arguments_.window.RequireSame(file.filter, arguments_.plan, arguments_.seen);
    arguments_.plan.RequireAlike(file.filter, arguments_.seen);
  } else {
    arguments_.plan.RequireSame(file.filter, arguments_.seen);
  }
  return file;
}

FilterFile DedupRun::LoadCheckpoint() {
  const Secret secret = arguments_.plan.secret.Read();
  FilterFile file = {.filter = checkpoint_->LoadFilter(secret)};
  if (!StatOf(arguments_.seen)) return file;
  // A file of another system's format stays one, with what it has beside its keys.
  FilterFile old = LoadAny(arguments_.seen, "", LoadMode::kMap, secret);
  old.filter = std::move(file.filter);
  return old;
}

// Where the run that was killed had come to.
void DedupRun::GoOn() {
  const CheckpointState& state = checkpoint_->state();
  if (maker_.rule().header) {  // as the first table told it
    Input again = arguments_.input.Open(1);
    Chunk chunk;
    ReadRecords(again, maker_, chunk);
  }
  input_.GoTo(state.position);
  result_ = state.result;
  loss_ = LossMeter(state.loss);
  bad_.GoOnFrom(result_.bad);
  seconds_before_ = result_.seconds;
  progress_.GoOnFrom(result_.bytes, result_.lines);
  fmt::print(stderr, "tamis dedup: goes on after {} lines\n", result_.lines);
}

// Between two chunks, when one is due, a checkpoint of all that was read.
bool DedupRun::Read(Chunk& chunk, Stages& stages) {
  if (checkpoint_ && checkpoint_->Due(text_)) {
    const Clock::time_point begin = Clock::now();
    if (!stages.AwaitEarlier()) return false;
    SaveCheckpoint(CheckpointState::Phase::kRunning);
    checkpoints_ += SecondsSince(begin);
  }
  const bool more = ReadRecords(input_, maker_, chunk);
  text_ += chunk.size;
  return more;
}

void DedupRun::FilterChunk(Chunk& chunk) {
  bad_.Add(chunk, InputName(input_.names()[chunk.file]));
  chunk.MakeAnswers();
  AdvanceTo(filter_, arguments_.window.clock.Seconds());
  const uint64_t fresh = InsertNew(engine_, filter_, chunk.HashedKeys(), chunk.answers);
  if (second_pass_) second_pass_->Note(chunk);
  loss_.Add(filter_, fresh);
  result_.lines += chunk.records;
  result_.keys += chunk.keys;
  result_.fresh += fresh;
  result_.bytes = chunk.input_bytes;
  WarnIfOverfull();
  progress_.Show(chunk.input_bytes, result_.lines, filter_, loss_.lost());
}

void DedupRun::WarnIfOverfull() {
  if (result_.overfull || !Overfull(filter_)) return;
  result_.overfull = true;
  progress_.Clear();
  const std::string harm = arguments_.proof.exact
                               ? "the second reading has the more to compare"
                               : fmt::format("from here on more than {:.3g} of new lines are lost",
                                             PromisedFpr(filter_));
  fmt::print(stderr,
             "tamis dedup: warning: more than the {} planned for: {}. Use a larger --expect.\n",
             Planned(filter_), harm);
}

void DedupRun::WriteChunk(const Chunk& chunk) {
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

// Reads the input again. With --exact that is when records are written.
void DedupRun::Prove() {
  uint64_t lines = 0;
  progress_.Again("reading again");
  SecondPass::Calls calls;
  calls.filtered = [&](const Chunk& chunk) {
    lines += chunk.records;
    progress_.Show(chunk.input_bytes, lines, filter_, loss_.lost());
  };
  if (arguments_.proof.exact) {
    calls.render = [&](Chunk& chunk) { renderer_.Render(chunk); };
    calls.write = [&](Chunk& chunk) { WriteChunk(chunk); };
  }
  result_.proof = second_pass_->Run(calls, result_.threads);
  result_.exact = arguments_.proof.exact;
  if (result_.exact) result_.fresh = result_.proof->fresh;
}

void DedupRun::SaveCheckpoint(CheckpointState::Phase phase) {
  CheckpointState progress;
  for (Output* output : {kept_.get(), duplicates_.get()}) {
    if (output == nullptr) continue;
    progress.outputs.push_back(output->Save());
    CrashPoint();
  }
  progress.position = input_.position();
  progress.result = result_;
  progress.result.bad = bad_.count();
  progress.result.seconds = seconds_before_ + SecondsSince(start_);
  progress.loss = loss_.state();
  checkpoint_->Save(phase, filter_, progress, text_);
  CrashPoint();
}

// Records first, then the filter that says they were seen: if the second fails, they come again.
void DedupRun::Finish() {
  // What the filter calls seen must have been written, also after the machine has stopped; without
  // a filter to save, an output is no more precious than any other file.
  const Durability durability =
      arguments_.seen.empty() ? Durability::kRenamed : Durability::kSynced;
  if (checkpoint_ && !checkpoint_->finishing()) SaveCheckpoint(CheckpointState::Phase::kFinishing);
  for (Output* output : {kept_.get(), duplicates_.get()}) {
    if (output == nullptr) continue;
    output->Commit(durability);
    CrashPoint();
  }
  if (!arguments_.seen.empty()) SaveAs(file_, arguments_.seen, file_.format);
  CrashPoint();
}

int DedupRun::Report(const StageSeconds& stages) {
  result_.seconds = seconds_before_ + SecondsSince(start_);
  result_.bad = bad_.count();
  result_.bad_dropped = bad_.policy() == OnError::kDrop;
  if (!result_.exact) {
    result_.lost = std::min(loss_.Lost(filter_), static_cast<double>(result_.duplicates()));
  }
  PrintSummary(result_, filter_, engine_);
  if (arguments_.count) PrintCounts(result_);
  if (report_ != nullptr) {
    report_->Append(ReportText(result_, filter_, engine_,
                               {.inputs = input_.names(),
                                .options = arguments_.Given(true),
                                .stages = stages,
                                .checkpoints = checkpoints_}));
    report_->Commit(Durability::kRenamed);
  }
  return result_.bad > 0 || (arguments_.strict && result_.overfull) ? 1 : 0;
}

int DedupRun::Run() {
  start_ = Clock::now();
  result_.threads = arguments_.run.StageThreads();
  const Spec spec = HashSpec(filter_);
  WarnIfOverfull();
  Stages* running = nullptr;
  StageCalls calls = {
      .read = [&](Chunk& chunk) { return Read(chunk, *running); },
      .prepare = [&](Chunk& chunk) { maker_.Prepare(chunk, hasher_, spec); },
      .filter = [&](Chunk& chunk) { FilterChunk(chunk); },
      .render = [&](Chunk& chunk) { renderer_.Render(chunk); },
      .write = [&](Chunk& chunk) { WriteChunk(chunk); },
  };
  if (arguments_.proof.exact) calls.render = calls.write = nullptr;  // not before it is proved
  Stages stages(std::move(calls));
  running = &stages;
  input_.OnLongRecord([&] { stages.AwaitEarlier(); });
  stages.Run(result_.threads);
  if (second_pass_) Prove();
  progress_.Clear();
  Finish();
  const int code = Report(stages.seconds());
  if (checkpoint_) checkpoint_->Finish(code);
  return code;
}

}  // namespace tamis::command
