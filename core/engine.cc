#include "tamis/engine.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <mutex>
#include <type_traits>
#include <utility>

#include "tamis/bits.h"
#include "tamis/hash.h"
#include "tamis/machine.h"

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

// The bits are const for Contains, which reads them; Batch serves both kinds of call.
Batch MakeBatch(const Filter& filter, const Keys& keys) {
  return {.spec = filter.spec(),
          .bits = const_cast<std::byte*>(filter.bytes().data()),
          .keys = keys,
          .prefetch = filter.spec().bytes() > 4 * ThisMachine().l2_bytes};
}

// The single key's block and low half, given to `f` as (words of the block, low).
template <typename Byte, typename F>
bool AtPlace(const Spec& spec, Byte* bits, uint64_t hash, F&& f) {
  const Place at = Locate(hash, static_cast<uint32_t>(spec.blocks));
  return VisitVariant(spec.variant, [&]<typename V>(V) {
    using Word =
        std::conditional_t<std::is_const_v<Byte>, const typename V::Word, typename V::Word>;
    return f(reinterpret_cast<Word*>(bits) + uint64_t{at.block} * kBlockWords, at.low);
  });
}

bool InsertHash(Filter& filter, uint64_t hash) {
  const bool fresh = AtPlace(filter.spec(), filter.mutable_data(), hash,
                             [](auto* block, uint32_t low) { return Mark(block, low); });
  filter.AddInserted(fresh ? 1 : 0);
  return fresh;
}

bool ContainsHash(const Filter& filter, uint64_t hash) {
  return AtPlace(filter.spec(), filter.bytes().data(), hash,
                 [](const auto* block, uint32_t low) { return Test(block, low); });
}

}  // namespace

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
        !device->Runs(filter.spec().variant)) {
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

Executor& Engine::For(const Filter& filter, uint64_t keys) const {
  const Variant variant = filter.spec().variant;
  if (!choice_->backend->Runs(variant)) {
    throw InvalidArgument("the " + std::string(choice_->backend->name()) +
                          " backend does not run filters of variant " +
                          std::string(NameOf(variant)));
  }
  if (Executor* device = choice_->OnDevice(filter, keys); device != nullptr) return *device;
  return choice_->large != nullptr && keys >= choice_->parallel_from ? *choice_->large
                                                                     : *choice_->small;
}

void Engine::Place(Filter& filter) {
  if (choice_->large == nullptr || filter.storage().shared()) return;
  std::optional<Storage> storage = choice_->large->NewStorage(filter.spec().bytes());
  if (storage) filter.MoveTo(*std::move(storage));
}

void Engine::Place(ScalableFilter& filter) {
  for (Filter& layer : filter.layers()) Place(layer);
}

void Engine::Insert(Filter& filter, const Keys& keys) {
  filter.mutable_data();  // refuses a read-only one
  For(filter, keys.size()).Insert(MakeBatch(filter, keys));
  filter.AddInserted(keys.size());
}

uint64_t Engine::InsertNew(Filter& filter, const Keys& keys, std::span<uint8_t> answers) {
  filter.mutable_data();
  uint8_t* out = CheckedAnswers(answers, keys.size());
  const uint64_t fresh = For(filter, keys.size()).InsertNew(MakeBatch(filter, keys), out);
  filter.AddInserted(fresh);
  return fresh;
}

uint64_t Engine::Contains(const Filter& filter, const Keys& keys,
                          std::span<uint8_t> answers) const {
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
  if (hashes.size() < keys.size()) {
    throw InvalidArgument("room for " + std::to_string(hashes.size()) + " hashes of " +
                          std::to_string(keys.size()) + " keys");
  }
  const bool large = choice_->large != nullptr && keys.size() >= choice_->parallel_from;
  (large ? *choice_->large : *choice_->small).Hash(spec, keys, hashes.data());
}

bool Engine::InsertOne(Filter& filter, std::string_view key) {
  return InsertHash(filter, Xxh64(key, filter.spec().seed));
}
bool Engine::InsertOne(Filter& filter, uint64_t key) {
  return InsertHash(filter, Xxh64(key, filter.spec().seed));
}
bool Engine::ContainsOne(const Filter& filter, std::string_view key) const {
  return ContainsHash(filter, Xxh64(key, filter.spec().seed));
}
bool Engine::ContainsOne(const Filter& filter, uint64_t key) const {
  return ContainsHash(filter, Xxh64(key, filter.spec().seed));
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
