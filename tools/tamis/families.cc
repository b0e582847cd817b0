#include "families.h"

#include <fmt/format.h>

#include <cmath>

#include "format.h"

namespace tamis::command {

namespace {

// One function for each family, as std::visit takes them.
template <typename... F>
struct Cases : F... {
  using F::operator()...;
};
template <typename... F>
Cases(F...) -> Cases<F...>;

// Every key sets one bit in each word of its block: so many of a word's bits are then set.
double ExpectedFillOf(const Filter& filter) {
  const Spec& spec = filter.spec();
  const double positions = static_cast<double>(spec.bits()) / spec.k;
  return -std::expm1(static_cast<double>(filter.inserted()) * std::log1p(-1 / positions));
}

// Mean over layers, weighted by their sizes. A window may have none.
template <typename Family, typename F>
double OverLayers(const Family& filter, F&& share) {
  double sum = 0;
  for (const Filter& layer : filter.layers()) {
    sum += share(layer) * static_cast<double>(layer.spec().bytes());
  }
  return sum == 0 ? 0 : sum / static_cast<double>(filter.bytes());
}

}  // namespace

uint64_t InsertNew(Engine& engine, AnyFilter& filter, const Keys& keys,
                   std::span<uint8_t> answers) {
  return std::visit([&](auto& f) { return engine.InsertNew(f, keys, answers); }, filter);
}

void AdvanceTo(AnyFilter& filter, uint64_t unix_seconds) {
  if (auto* window = std::get_if<WindowedFilter>(&filter)) window->AdvanceTo(unix_seconds);
}

void Place(Engine& engine, AnyFilter& filter) {
  std::visit([&](auto& f) { engine.Place(f); }, filter);
}

uint64_t Contains(const Engine& engine, const AnyFilter& filter, const Keys& keys,
                  std::span<uint8_t> answers) {
  return std::visit([&](const auto& f) { return engine.Contains(f, keys, answers); }, filter);
}

Spec HashSpec(const AnyFilter& filter) {
  return std::visit(Cases{[](const Filter& f) { return f.spec(); },
                          [](const ScalableFilter& f) { return f.layers().front().spec(); },
                          [](const WindowedFilter& f) { return f.plan().spec; }},
                    filter);
}

uint64_t Inserted(const AnyFilter& filter) {
  return std::visit([](const auto& f) { return f.inserted(); }, filter);
}

uint64_t Bytes(const AnyFilter& filter) {
  return std::visit(Cases{[](const Filter& f) { return f.spec().bytes(); },
                          [](const auto& family) { return family.bytes(); }},
                    filter);
}

uint64_t Capacity(const AnyFilter& filter) {
  const auto* fixed = std::get_if<Filter>(&filter);
  return fixed == nullptr ? 0 : fixed->plan().capacity;
}

double PromisedFpr(const AnyFilter& filter) {
  return std::visit(Cases{[](const Filter& f) { return f.plan().fpr; },
                          [](const auto& family) { return family.fpr(); }},
                    filter);
}

std::string Planned(const AnyFilter& filter) {
  if (const auto* window = std::get_if<WindowedFilter>(&filter)) {
    return fmt::format("{} distinct lines in one generation of the window",
                       window->window().capacity);
  }
  return fmt::format("{} distinct lines", Capacity(filter));
}

bool Overfull(const AnyFilter& filter) {
  return std::visit(Cases{[](const ScalableFilter& /*f*/) { return false; },
                          [](const auto& f) { return f.overfull(); }},
                    filter);
}

double RateAt(const AnyFilter& filter, double keys) {
  constexpr double kMost = 1e19;  // within 64 bits
  return std::visit(Cases{[&](const Filter& f) {
                            return tamis::ExpectedFpr(
                                f.spec(), static_cast<uint64_t>(std::fmin(keys, kMost)));
                          },
                          [](const auto& family) { return family.ExpectedFpr(); }},
                    filter);
}

double ExpectedFpr(const AnyFilter& filter) {
  return std::visit([](const auto& f) { return f.ExpectedFpr(); }, filter);
}

double ObservedFpr(const AnyFilter& filter) {
  return std::visit([](const auto& f) { return f.ObservedFpr(); }, filter);
}

double Fill(const AnyFilter& filter) {
  return std::visit(Cases{[](const Filter& f) { return f.Fill(); },
                          [](const auto& family) {
                            return OverLayers(family,
                                              [](const Filter& layer) { return layer.Fill(); });
                          }},
                    filter);
}

double ExpectedFill(const AnyFilter& filter) {
  return std::visit(Cases{[](const Filter& f) { return ExpectedFillOf(f); },
                          [](const auto& family) { return OverLayers(family, ExpectedFillOf); }},
                    filter);
}

std::string_view FamilyName(const AnyFilter& filter) {
  return std::visit(Cases{[](const Filter& /*f*/) { return "filter"; },
                          [](const ScalableFilter& /*f*/) { return "scalable"; },
                          [](const WindowedFilter& /*f*/) { return "windowed"; }},
                    filter);
}

std::vector<NamedLayer> NamedLayers(const AnyFilter& filter) {
  std::vector<NamedLayer> layers;
  if (const auto* growing = std::get_if<ScalableFilter>(&filter)) {
    for (const Filter& layer : growing->layers()) {
      layers.push_back({fmt::format("layer {}", layers.size()), &layer});
    }
  } else if (const auto* window = std::get_if<WindowedFilter>(&filter)) {
    const uint64_t period = window->window().period;
    for (const Filter& layer : window->layers()) {
      const uint64_t number = window->numbers()[layers.size()];
      layers.push_back({fmt::format("generation {}", number), &layer});
      if (period != 0) layers.back().name += ", from " + TimeText(number * period);
    }
  }
  return layers;
}

std::string Describe(const Window& window) {
  return fmt::format("{} generations of {}{} keys{}", window.generations,
                     window.by_time() ? fmt::format("{} seconds, planned for ", window.period) : "",
                     window.capacity, window.by_time() ? " each" : "");
}

std::string Describe(const AnyFilter& filter) {
  std::string text =
      fmt::format("{}, {}", NameOf(HashSpec(filter).variant), ByteText(Bytes(filter)));
  if (const auto* growing = std::get_if<ScalableFilter>(&filter)) {
    text += fmt::format(", scalable with {} layer{} at {}", growing->layers().size(),
                        growing->layers().size() == 1 ? "" : "s", growing->fpr());
  } else if (const auto* window = std::get_if<WindowedFilter>(&filter)) {
    text += fmt::format(", {} at {}", Describe(window->window()), window->fpr());
  } else if (Capacity(filter) != 0) {
    text += fmt::format(", planned for {} keys at {:.3g}", Capacity(filter), PromisedFpr(filter));
  }
  return text;
}

void WriteMembers(Json& json, const AnyFilter& filter) {
  const Spec spec = HashSpec(filter);
  json.Member("family", FamilyName(filter));
  json.Member("variant", NameOf(spec.variant));
  json.Member("hash", NameOf(spec.hash));
  json.Member("seed", spec.seed);
  json.Member("k", spec.k);
  json.Member("bytes", Bytes(filter));
  json.Member("inserted", Inserted(filter));
  if (std::holds_alternative<Filter>(filter)) {
    json.Member("blocks", spec.blocks);
    json.Member("bits", spec.bits());
    json.Member("probe", NameOf(spec.probe));
    json.Member("capacity", Capacity(filter));
  } else if (const auto* growing = std::get_if<ScalableFilter>(&filter)) {
    json.Member("first_capacity", growing->first_capacity());
  } else if (const auto* window = std::get_if<WindowedFilter>(&filter)) {
    json.Member("period", window->window().period);
    json.Member("generations", uint64_t{window->window().generations});
    json.Member("generation_capacity", window->window().capacity);
    json.Member("current", window->current());
  }
  if (!std::holds_alternative<ScalableFilter>(filter)) json.Member("overfull", Overfull(filter));
  if (!std::holds_alternative<Filter>(filter)) {
    json.Key("layers").BeginArray();
    for (const NamedLayer& layer : NamedLayers(filter)) {
      json.BeginObject();
      json.Member("name", std::string_view(layer.name));
      json.Member("blocks", layer.filter->spec().blocks);
      json.Member("capacity", layer.filter->plan().capacity);
      json.Member("fpr", layer.filter->plan().fpr);
      json.Member("inserted", layer.filter->inserted());
      json.EndObject();
    }
    json.EndArray();
  }
  json.Member("fpr", PromisedFpr(filter));
  json.Member("expected_fpr", ExpectedFpr(filter));
}

}  // namespace tamis::command
