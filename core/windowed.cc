// Windows: the generations, and the engine's verbs on them.
//
// InsertNew on a piece of a batch, in words: hash it; ask the older generations, newest first, and
// keep the keys that none has; put them into the newest, which says itself which were new. Only
// where it might get full on the way is it asked first: then the first of the keys that it has not
// go in, as many as it has room for, and it is asked again for the rest. If keys are left when it
// is full, the first of those is new for certain: it opens the next generation and may end the
// oldest, so the piece begins anew with that key. So what a generation holds depends on the order
// of keys alone, not on how they were batched.

#include "tamis/windowed.h"

#include <algorithm>
#include <string>
#include <utility>

#include "layers.h"
#include "tamis/engine.h"

namespace tamis {

namespace {

void RequireGenerations(uint32_t generations) {
  if (generations >= 1 && generations <= Window::kMaxGenerations) return;
  throw InvalidArgument("a window of " + std::to_string(generations) +
                        " generations: it has 1 to " + std::to_string(Window::kMaxGenerations));
}

uint64_t ShareOf(uint64_t whole, uint32_t generations, uint64_t most, const std::string& what) {
  RequireGenerations(generations);
  if (whole < generations || whole > most) {
    throw InvalidArgument("a window of " + std::to_string(whole) + " " + what + ": " +
                          std::to_string(generations) + " generations take " +
                          std::to_string(generations) + " (one each) to " + std::to_string(most));
  }
  return (whole + generations - 1) / generations;
}

void Require(const Window& window) {
  RequireGenerations(window.generations);
  if (window.period > Window::kMaxSeconds || window.capacity < 1 ||
      window.capacity > Window::kMaxKeys) {
    throw InvalidArgument("generations of " + std::to_string(window.period) + " seconds and " +
                          std::to_string(window.capacity) + " keys: they are of 0 to " +
                          std::to_string(Window::kMaxSeconds) + ", and 1 to " +
                          std::to_string(Window::kMaxKeys));
  }
}

std::string ToString(const Window& window) {
  return std::to_string(window.generations) + " generations of " +
         (window.by_time() ? std::to_string(window.period) + " seconds, planned for " : "") +
         std::to_string(window.capacity) + " keys";
}

// Pieces that begin anew whenever a generation ends are best not much longer than a generation.
uint64_t PieceOf(const Window& window) {
  constexpr uint64_t kShort = 64;
  return window.by_time() ? kFamilyPiece : std::clamp(2 * window.capacity, kShort, kFamilyPiece);
}

}  // namespace

Window Window::ByTime(uint64_t seconds, uint32_t generations, uint64_t keys) {
  return {.period = ShareOf(seconds, generations, Window::kMaxSeconds, "seconds"),
          .capacity =
              ShareOf(std::max<uint64_t>(keys, generations), generations, Window::kMaxKeys, "keys"),
          .generations = generations};
}

Window Window::ByCount(uint64_t keys, uint32_t generations) {
  return {.capacity = ShareOf(keys, generations, Window::kMaxKeys, "keys"),
          .generations = generations};
}

WindowedFilter::WindowedFilter(const Window& window, double fpr, const PlanOptions& options)
    : window_(window), fpr_(fpr), options_(options) {
  Require(window);
  RequireRate(fpr);  // of the whole, before it is shared
  plan_ = PlanOfLayer(window.capacity, fpr / window.generations, options);
}

WindowedFilter::WindowedFilter(const Window& window, double fpr, const PlanOptions& options,
                               uint64_t current, std::vector<uint64_t> numbers,
                               std::vector<Filter> layers)
    : WindowedFilter(window, fpr, options) {
  if (current > window.LastNumber()) {
    throw InvalidArgument("generation " + std::to_string(current) +
                          " is the current one: the last is " +
                          std::to_string(window.LastNumber()));
  }
  current_ = current;
  numbers_ = std::move(numbers);
  layers_ = std::move(layers);
  if (numbers_.size() != layers_.size()) {
    throw InvalidArgument(std::to_string(layers_.size()) + " generations with " +
                          std::to_string(numbers_.size()) + " numbers");
  }
  for (size_t i = 0; i < layers_.size(); ++i) {
    const std::string name = "generation " + std::to_string(numbers_[i]);
    const bool rises = i == 0 || numbers_[i] > numbers_[i - 1];
    if (!rises || numbers_[i] > current || !Lives(numbers_[i])) {
      throw InvalidArgument(name + " at place " + std::to_string(i) + ": numbers rise to " +
                            std::to_string(current) + ", the current one, from no more than " +
                            std::to_string(window.generations - 1) + " before it");
    }
    RequireLayer(layers_[i], i, plan_, options,
                 "a window of " + std::to_string(window.keys()) + " keys");
    const uint64_t inserted = layers_[i].inserted();
    const bool full = inserted == window.capacity;
    const bool last = i + 1 == layers_.size();
    const bool follows = last ? numbers_[i] == current : numbers_[i] + 1 == numbers_[i + 1];
    if (!window.by_time() && (inserted > window.capacity || (!last && !full) || !follows)) {
      throw InvalidArgument(name + " holds " + std::to_string(inserted) + " of " +
                            std::to_string(window.capacity) +
                            " keys: by count each is full before the next, and none is left out");
    }
  }
}

void WindowedFilter::SetCurrent(uint64_t number) {
  current_ = number;
  const auto living = std::ranges::find_if(numbers_, [&](uint64_t n) { return Lives(n); });
  layers_.erase(layers_.begin(), layers_.begin() + (living - numbers_.begin()));
  numbers_.erase(numbers_.begin(), living);
}

void WindowedFilter::AdvanceTo(uint64_t unix_seconds) {
  if (!window_.by_time()) return;
  const uint64_t number = std::min(unix_seconds, Window::kMaxSeconds) / window_.period;
  if (number > current_) SetCurrent(number);
}

void WindowedFilter::Rotate() { SetCurrent(current_ + 1); }

Filter* WindowedFilter::Generation(uint64_t number) {
  if (!Lives(number) || number > current_) return nullptr;
  const auto at = std::ranges::lower_bound(numbers_, number);
  const auto layer = layers_.begin() + (at - numbers_.begin());
  if (at != numbers_.end() && *at == number) return &*layer;
  const auto opened = layers_.emplace(layer, plan_);
  numbers_.insert(at, number);
  return &*opened;
}

Filter& WindowedFilter::Newest() { return *Generation(current_); }

std::span<const Filter> WindowedFilter::Older() const {
  const bool opened = !numbers_.empty() && numbers_.back() == current_;
  return {layers_.data(), layers_.size() - (opened ? 1 : 0)};
}

uint64_t WindowedFilter::Room() const {
  if (window_.by_time()) return UINT64_MAX;
  const bool opened = Older().size() != layers_.size();
  return window_.capacity - (opened ? layers_.back().inserted() : 0);
}

uint64_t WindowedFilter::inserted() const { return InsertedInAll(layers_); }
uint64_t WindowedFilter::bytes() const { return BytesOfAll(layers_); }

bool WindowedFilter::overfull() const {
  return std::ranges::any_of(layers_, [](const Filter& layer) { return layer.overfull(); });
}

double WindowedFilter::ExpectedFpr() const {
  return RateOfAny(layers_, [](const Filter& layer) { return layer.ExpectedFpr(); });
}
double WindowedFilter::ObservedFpr() const {
  return RateOfAny(layers_, [](const Filter& layer) { return layer.ObservedFpr(); });
}

void Engine::Place(WindowedFilter& filter) {
  for (Filter& layer : filter.layers()) Place(layer);
}

void Engine::Insert(WindowedFilter& filter, const Keys& keys) { InsertNew(filter, keys); }

uint64_t Engine::InsertNew(WindowedFilter& filter, const Keys& keys, std::span<uint8_t> answers) {
  for (Filter& layer : filter.layers()) layer.mutable_data();  // refuses read-only ones
  uint8_t* out = CheckedAnswers(answers, keys.size());
  if (out != nullptr) FillAnswers(out, keys.size(), false);
  const bool placed = !filter.layers().empty() && filter.layers().back().storage().shared();
  const auto lease = candidates().Borrow();
  Candidates& left = *lease;
  const uint64_t most = PieceOf(filter.window());
  uint64_t fresh = 0;
  for (uint64_t first = 0; first < keys.size();) {
    const Keys piece = keys.Slice(first, std::min(most, keys.size() - first));
    KeepAbsent(*this, filter.Older(), filter.plan().spec, piece, left);
    if (left.size() > filter.Room()) left.DropPresent(*this, filter.Newest(), 0);
    while (left.size() != 0 && filter.Room() != 0) {
      Filter& newest = filter.Newest();
      if (placed) Place(newest);
      fresh += InsertFirst(*this, newest, left, std::min(left.size(), filter.Room()), out, first);
    }
    if (left.size() != 0) filter.Rotate();
    first += left.size() != 0 ? left.indices.front() : piece.size();
  }
  return fresh;
}

uint64_t Engine::Contains(const WindowedFilter& filter, const Keys& keys,
                          std::span<uint8_t> answers) const {
  const auto lease = candidates().Borrow();
  return ContainsInAny(*this, filter.layers(), filter.plan().spec, keys, answers, *lease);
}

void Engine::Merge(WindowedFilter& into, const WindowedFilter& from) {
  RequireEqual(into.plan().spec, from.plan().spec, "merge");
  if (!into.window().by_time() || into.window() != from.window()) {
    throw SpecMismatch("cannot merge windows of " + ToString(into.window()) + " and of " +
                       ToString(from.window()) + ": they are by time, and equal");
  }
  into.AdvanceTo(from.current() * from.window().period);
  for (size_t i = 0; i < from.layers().size(); ++i) {
    Filter* layer = into.Generation(from.numbers()[i]);
    if (layer != nullptr) Merge(*layer, from.layers()[i]);
  }
}

}  // namespace tamis
