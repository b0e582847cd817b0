// What callers hold: verbs on filters, each a whole batch of keys at a time.
//
//   tamis::Filter seen(tamis::PlanFor(100'000'000, 0.01));
//   tamis::Engine engine;
//   uint64_t fresh = engine.InsertNew(seen, tamis::Keys::U64(keys), answers);
//
// An Engine chooses for every call how it runs: the best kernels for this processor, in the calling
// thread for small batches, on several threads for large ones. Whatever it chooses, the bytes of
// the filter and every answer are the same. A device (a GPU) works on filters that were placed in
// its memory, and on any if it is pinned; otherwise sending the bits there would cost more than it
// saves.
//
// From many threads: Contains, ContainsOne and Hash may run at once on one engine and on one
// filter. Verbs that write (Insert, InsertNew, InsertOne, Merge) must be alone with their filter
// and with their engine: give each writing thread an engine of its own, and a lock to each filter
// shared; or single keys to a SharedAdder (tamis/shared_adder.h), which needs no lock.
#ifndef TAMIS_ENGINE_H_
#define TAMIS_ENGINE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/answers.h"
#include "tamis/backend.h"
#include "tamis/filter.h"
#include "tamis/keys.h"
#include "tamis/scalable.h"
#include "tamis/windowed.h"

namespace tamis {

/// What to pin. Whatever is empty or 0 is read from the environment variable named, and if that is
/// unset or empty too, chosen by the machine and the batch.
struct EngineOptions {
  std::string backend{};  ///< scalar, simd, tbb, cuda; TAMIS_BACKEND
  std::string target{};   ///< "scalar" or a Highway target's name, such as AVX2; TAMIS_TARGET
  int threads = 0;        ///< 1 to kMaxThreads; TAMIS_THREADS
};

struct Candidates;
struct KeyHash;
template <class T>
class Pool;

class Engine {
 public:
  static constexpr int kMaxThreads = 1024;

  /// Throws InvalidArgument, with the valid names, for a backend or target that is unknown here,
  /// DeviceError for a pinned backend that cannot run here.
  explicit Engine(const EngineOptions& options = {},
                  std::span<const Backend* const> backends = Backends());
  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  /// Moves the filter's bits to where this engine works on them fastest, if that is not where they
  /// are: into memory shared with the device, if one is pinned. Pointers into Filter::bytes() go
  /// stale; a filter that was mapped read-only becomes writable memory. Throws MemoryError.
  void Place(Filter& filter);
  void Place(ScalableFilter& filter);
  void Place(WindowedFilter& filter);

  /// Puts every key in. Throws InvalidArgument if the filter is mapped read-only, or if the pinned
  /// backend does not run its variant.
  void Insert(Filter& filter, const Keys& keys);

  /// Puts every key in and answers for each whether it was new, as if they came one by one in
  /// batch order: of equal keys exactly the first is new. `answers` is empty or has
  /// AnswerBytes(keys.size()) bytes or more. Returns how many were new.
  uint64_t InsertNew(Filter& filter, const Keys& keys, std::span<uint8_t> answers = {});

  /// Answers for each key whether it is present (surely so if it was put in; by chance, at the
  /// filter's rate, if not). `answers` as above. Returns how many are present.
  uint64_t Contains(const Filter& filter, const Keys& keys, std::span<uint8_t> answers = {}) const;

  /// Puts in all that `from` holds. Throws SpecMismatch unless both Specs are equal.
  void Merge(Filter& into, const Filter& from);

  /// The same verbs on a growing filter. Insert puts in only keys that are not present, since every
  /// key counts towards the layer's end. Both throw as ScalableFilter::AddLayer does if the filter
  /// cannot grow; the keys before that one are in.
  void Insert(ScalableFilter& filter, const Keys& keys);
  uint64_t InsertNew(ScalableFilter& filter, const Keys& keys, std::span<uint8_t> answers = {});
  uint64_t Contains(const ScalableFilter& filter, const Keys& keys,
                    std::span<uint8_t> answers = {}) const;

  /// The same verbs on a window, at the time that it was last told. Insert puts in only keys that
  /// no living generation has. Merge throws SpecMismatch unless both are the same window by time;
  /// what is over at the later of both filters' times is left out.
  void Insert(WindowedFilter& filter, const Keys& keys);
  uint64_t InsertNew(WindowedFilter& filter, const Keys& keys, std::span<uint8_t> answers = {});
  uint64_t Contains(const WindowedFilter& filter, const Keys& keys,
                    std::span<uint8_t> answers = {}) const;
  void Merge(WindowedFilter& into, const WindowedFilter& from);

  /// Hashes by the Spec's scheme and seed; `hashes` has at least keys.size() elements.
  void Hash(const Spec& spec, const Keys& keys, std::span<uint64_t> hashes) const;

  /// The odd single key, without the machinery of batches. InsertOne returns whether it was new.
  bool InsertOne(Filter& filter, std::string_view key);
  bool InsertOne(Filter& filter, uint64_t key);
  bool ContainsOne(const Filter& filter, std::string_view key) const;
  bool ContainsOne(const Filter& filter, uint64_t key) const;

  /// Names of what runs large batches: "tbb", "AVX3", 2. With a device pinned, target() is what
  /// runs on the processor for it: hashing of scattered keys.
  std::string_view backend() const;
  std::string_view target() const;
  int threads() const;

 private:
  struct Choice;
  Executor& For(const Filter& filter, uint64_t keys) const;
  Pool<Candidates>& candidates() const;
  bool InsertHash(Filter& filter, const KeyHash& hash) const;
  bool ContainsHash(const Filter& filter, const KeyHash& hash) const;

  std::unique_ptr<Choice> choice_;
};

/// Names of the kernels that run on this machine, best first: what EngineOptions::target may say.
std::vector<std::string_view> TargetNames(std::span<const Backend* const> backends = Backends());

}  // namespace tamis

#endif  // TAMIS_ENGINE_H_
