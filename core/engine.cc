#include "tamis/engine.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "candidates.h"
#include "single_key.h"
#include "tamis/machine.h"
#include "tamis/schemes.h"

namespace tamis {

namespace {

// Below this many keys, starting threads costs more than they save.
constexpr uint64_t kParallelKeys = 1 << 15;

std::string Join(const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) {
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

// An option, or the environment variable that stands in for it; with a name for error messages.
struct Setting {
  std::string value;
  std::string name;

  Setting(std::string option, std::string_view what, const char* variable)
      : value(std::move(option)), name(what) {
    if (!value.empty()) return;
    if (const char* text = std::getenv(variable); text != nullptr && *text != '\0') {
      value = text;
      name = variable;
    }
  }
  bool empty() const { return value.empty(); }

  [[noreturn]] void Refuse(const std::string& valid) const {
    throw InvalidArgument("unknown " + name + " '" + value + "': valid are " + valid);
  }
};

const Backend* FindBackend(const Setting& wanted, std::span<const Backend* const> backends) {
  if (wanted.empty()) return nullptr;
  std::vector<std::string_view> names;
  for (const Backend* backend : backends) {
    if (backend->name() == wanted.value) {
      const std::string reason = backend->Unavailable();
      if (!reason.empty()) throw DeviceError("backend " + wanted.value + ": " + reason);
      return backend;
    }
    names.push_back(backend->name());
  }
  wanted.Refuse(Join(names));
}

// Kernels that `backend` can run (any, if null), best first: later backends bring better ones.
std::vector<const Kernels*> UsableKernels(const Backend* backend,
                                          std::span<const Backend* const> backends) {
  std::vector<const Kernels*> usable;
  const bool any = backend == nullptr || backend->kernels().empty();
  for (size_t i = backends.size(); i-- > 0;) {
    if (!any && backends[i] != backend) continue;
    for (const Kernels& kernels : backends[i]->kernels()) usable.push_back(&kernels);
  }
  return usable;
}

const Kernels& FindKernels(const Setting& wanted, const std::vector<const Kernels*>& usable) {
  if (usable.empty()) throw InvalidArgument("no backend with kernels was given to the engine");
  if (wanted.empty()) return *usable.front();
  std::vector<std::string_view> names;
  for (const Kernels* kernels : usable) {
    if (kernels->target == wanted.value) return *kernels;
    names.push_back(kernels->target);
  }
  wanted.Refuse(Join(names));
}

int FindThreads(int option) {
  const Setting wanted(option == 0 ? "" : std::to_string(option), "thread count", "TAMIS_THREADS");
  if (wanted.empty()) return ThisMachine().threads;
  int threads = 0;
  const char* end = wanted.value.data() + wanted.value.size();
  const auto [rest, error] = std::from_chars(wanted.value.data(), end, threads);
  if (error != std::errc() || rest != end || threads < 1 || threads > Engine::kMaxThreads) {
    wanted.Refuse("1 to " + std::to_string(Engine::kMaxThreads));
  }
  return threads;
}

Residence ResidenceOf(uint64_t bytes) {
  const Machine& machine = ThisMachine();
  if (bytes <= machine.l1_bytes) return Residence::kFirstCache;
  return bytes <= 4 * machine.l2_bytes ? Residence::kCaches : Residence::kMemory;
}

// The bits are const for Contains, which reads them; Batch serves both kinds of call.
Batch MakeBatch(const Filter& filter, const Keys& keys) {
  return {.spec = filter.spec(),
          .bits = const_cast<std::byte*>(filter.bytes().data()),
          .keys = keys,
          .residence = ResidenceOf(filter.bytes().size())};
}

bool MarkHash(const VariantKernels& kernels, Filter& filter, const KeyHash& hash) {
  const Spec& spec = filter.spec();
  if (kernels.mark_one == nullptr) return MarkKey(spec, filter.mutable_data(), hash);
  const auto blocks = static_cast<uint32_t>(spec.blocks);
  return kernels.mark_one(filter.mutable_data(), Locate(hash.words[0], blocks));
}

bool TestHash(const VariantKernels& kernels, const Filter& filter, const KeyHash& hash) {
  const Spec& spec = filter.spec();
  if (kernels.test_one == nullptr) return TestKey(spec, filter.bytes().data(), hash);
  const auto blocks = static_cast<uint32_t>(spec.blocks);
  return kernels.test_one(filter.bytes().data(), Locate(hash.words[0], blocks));
}

}  // namespace

void RequireTaken(const Spec& spec, const Keys& keys) {
  if (keys.kind() == Keys::Kind::kHashes) {
    if (keys.width() == 8 * static_cast<uint32_t>(spec.hash_words())) return;
    throw InvalidArgument("hashes of " + std::to_string(keys.width() / 8) + " words: [" +
                          ToString(spec) + "] takes " + std::to_string(spec.hash_words()));
  }
  if (spec.hash != HashScheme::kPrehashed) return;
  const bool fixed = keys.kind() == Keys::Kind::kFixed;
  if (fixed && (keys.width() == 8 || keys.width() == 16)) return;
  throw InvalidArgument("prehashed keys are of 8 or 16 bytes each, all alike" +
                        (fixed ? ", not " + std::to_string(keys.width()) : std::string()));
}

struct Engine::Choice {
  const Kernels* kernels = nullptr;
  const Backend* backend = nullptr;  // that runs large batches
  const Backend* device = nullptr;   // that runs batches on filters in its memory, if one was built
  int threads = 1;
  uint64_t parallel_from = 0;       // keys in a batch from which `large` runs it
  std::unique_ptr<Executor> small;  // in the calling thread
  std::unique_ptr<Executor> large;  // null if `small` does everything
  // Opened by the first batch on a filter in the device's memory: it takes a while.
  std::once_flag device_opened;
  std::unique_ptr<Executor> on_device;
  Pool<Candidates> candidates;

  Choice(const EngineOptions& options, std::span<const Backend* const> backends) {
    backend = FindBackend(Setting(options.backend, "backend", "TAMIS_BACKEND"), backends);
    const bool pinned = backend != nullptr;
    kernels = &FindKernels(Setting(options.target, "target", "TAMIS_TARGET"),
                           UsableKernels(backend, backends));
    threads = FindThreads(options.threads);
    if (!pinned) ChooseAmong(backends);
    if (backend->parallel() || backend->device()) {
      large = backend->Open(*kernels, threads);
      parallel_from = pinned ? 0 : kParallelKeys;
    }
    if (!backend->parallel()) threads = 1;
    small = OpenSerial(*kernels);
  }

  // A parallel backend if threads are to be had, else the one that brought the kernels.
  void ChooseAmong(std::span<const Backend* const> backends) {
    for (const Backend* candidate : backends) {
      if (candidate->device()) {
        device = candidate;
        continue;
      }
      const bool brought = std::ranges::any_of(candidate->kernels(),
                                               [&](const Kernels& own) { return &own == kernels; });
      if (candidate->parallel() ? threads > 1 : brought) backend = candidate;
    }
  }

  // Who works on this filter if nothing was pinned: its device, on whose memory it lies.
  Executor* OnDevice(const Filter& filter, uint64_t keys) {
    if (device == nullptr || !filter.storage().shared() || keys < kParallelKeys ||
        !device->Runs(filter.spec())) {
      return nullptr;
    }
    std::call_once(device_opened, [&] {
      if (device->Unavailable().empty()) on_device = device->Open(*kernels, threads);
    });
    return on_device.get();
  }
};

Engine::Engine(const EngineOptions& options, std::span<const Backend* const> backends)
    : choice_(std::make_unique<Choice>(options, backends)) {}
Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;

Pool<Candidates>& Engine::candidates() const { return choice_->candidates; }

Executor& Engine::For(const Filter& filter, uint64_t keys) const {
  const Spec& spec = filter.spec();
  if (!choice_->backend->Runs(spec)) {
    throw InvalidArgument("the " + std::string(choice_->backend->name()) +
                          " backend does not run filters of variant " +
                          std::string(NameOf(spec.variant)) + " by " +
                          std::string(NameOf(spec.hash)));
  }
  if (Executor* device = choice_->OnDevice(filter, keys); device != nullptr) return *device;
  return choice_->large != nullptr && keys >= choice_->parallel_from ? *choice_->large
                                                                     : *choice_->small;
}

void Engine::Place(Filter& filter) {
  if (choice_->large == nullptr || filter.storage().shared()) return;
  if (!choice_->backend->Runs(filter.spec())) return;
  std::optional<Storage> copy = choice_->large->CopyOf(filter.bytes());
  if (copy) filter.MoveTo(*std::move(copy));
}

void Engine::Place(ScalableFilter& filter) {
  for (Filter& layer : filter.layers()) Place(layer);
}

void Engine::Insert(Filter& filter, const Keys& keys) {
  filter.mutable_data();  // refuses a read-only one
  RequireTaken(filter.spec(), keys);
  For(filter, keys.size()).Insert(MakeBatch(filter, keys));
  filter.AddInserted(keys.size());
}

uint64_t Engine::InsertNew(Filter& filter, const Keys& keys, std::span<uint8_t> answers) {
  filter.mutable_data();
  RequireTaken(filter.spec(), keys);
  uint8_t* out = CheckedAnswers(answers, keys.size());
  const uint64_t fresh = For(filter, keys.size()).InsertNew(MakeBatch(filter, keys), out);
  filter.AddInserted(fresh);
  return fresh;
}

uint64_t Engine::Contains(const Filter& filter, const Keys& keys,
                          std::span<uint8_t> answers) const {
  RequireTaken(filter.spec(), keys);
  uint8_t* out = CheckedAnswers(answers, keys.size());
  return For(filter, keys.size()).Contains(MakeBatch(filter, keys), out);
}

void Engine::Merge(Filter& into, const Filter& from) {
  RequireEqual(into.spec(), from.spec(), "merge");
  std::byte* bits = into.mutable_data();
  For(into, UINT64_MAX).Merge(bits, from.bytes().data(), from.bytes().size());
  into.AddInserted(from.inserted());
}

void Engine::Hash(const Spec& spec, const Keys& keys, std::span<uint64_t> hashes) const {
  RequireTaken(spec, keys);
  const auto words = static_cast<uint64_t>(spec.hash_words());
  if (hashes.size() / words < keys.size()) {
    throw InvalidArgument("room for " + std::to_string(hashes.size() / words) + " hashes of " +
                          std::to_string(keys.size()) + " keys");
  }
  const bool large = choice_->large != nullptr && keys.size() >= choice_->parallel_from;
  (large ? *choice_->large : *choice_->small).Hash(spec, keys, hashes.data());
}

bool Engine::InsertHash(Filter& filter, const KeyHash& hash) const {
  const bool fresh = MarkHash(choice_->kernels->Of(filter.spec().variant), filter, hash);
  filter.AddInserted(fresh ? 1 : 0);
  return fresh;
}
bool Engine::ContainsHash(const Filter& filter, const KeyHash& hash) const {
  return TestHash(choice_->kernels->Of(filter.spec().variant), filter, hash);
}

bool Engine::InsertOne(Filter& filter, std::string_view key) {
  RequireTaken(filter.spec(), OneKey(key));
  return InsertHash(filter, HashOf(filter.spec(), key));
}
bool Engine::InsertOne(Filter& filter, uint64_t key) {
  return InsertHash(filter, HashOf(filter.spec(), key));
}
bool Engine::ContainsOne(const Filter& filter, std::string_view key) const {
  RequireTaken(filter.spec(), OneKey(key));
  return ContainsHash(filter, HashOf(filter.spec(), key));
}
bool Engine::ContainsOne(const Filter& filter, uint64_t key) const {
  return ContainsHash(filter, HashOf(filter.spec(), key));
}

std::string_view Engine::backend() const { return choice_->backend->name(); }
std::string_view Engine::target() const { return choice_->kernels->target; }
int Engine::threads() const { return choice_->threads; }

std::vector<std::string_view> TargetNames(std::span<const Backend* const> backends) {
  std::vector<std::string_view> names;
  for (const Kernels* kernels : UsableKernels(nullptr, backends)) names.push_back(kernels->target);
  return names;
}

}  // namespace tamis
