// What a rival must do to be measured: take 64-bit keys in, and say which of others it has. Each
// adapter is one file that adds its rivals to the list; which are built depends on what is
// installed.
#ifndef TAMIS_BENCH_RIVALS_RIVAL_H_
#define TAMIS_BENCH_RIVALS_RIVAL_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace tamis::bench {

class Rival {
 public:
  Rival() = default;
  Rival(const Rival&) = delete;
  Rival& operator=(const Rival&) = delete;
  virtual ~Rival() = default;

  /// Empties it and makes room for so many keys. Filters take about `bits_per_key` each; sets what
  /// they need. Not timed: memory that it allocates at once should be touched here.
  virtual void Reset(uint64_t keys, double bits_per_key) = 0;
  /// Puts keys in. May be called several times after Reset.
  virtual void Insert(std::span<const uint64_t> keys) = 0;
  /// What it takes after the last Insert before Contains works. Timed as part of inserting.
  virtual void Seal() {}
  /// How many of the keys are there.
  virtual uint64_t Contains(std::span<const uint64_t> keys) = 0;
  /// Memory that holds the keys.
  virtual uint64_t bytes() const = 0;
  /// Whether that memory asked for huge pages.
  virtual bool huge() const { return false; }
};

struct RivalEntry {
  std::string_view name;
  std::string_view variant;
  bool fast;  ///< measured at the largest sizes too
  std::unique_ptr<Rival> (*make)();
};

template <typename R>
std::unique_ptr<Rival> Make() {
  return std::make_unique<R>();
}

/// Those that were built in, in the order of CMakeLists.txt.
const std::vector<RivalEntry>& Rivals();

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_RIVALS_RIVAL_H_
