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

// Mean over layers, weighted by their sizes.
template <typename F>
double OverLayers(const ScalableFilter& filter, F&& share) {
  double sum = 0;
  for (const Filter& layer : filter.layers()) {
    sum += share(layer) * static_cast<double>(layer.spec().bytes());
  }
  return sum / static_cast<double>(filter.bytes());
}

}  // namespace

uint64_t InsertNew(Engine& engine, AnyFilter& filter, const Keys& keys,
                   std::span<uint8_t> answers) {
  return std::visit([&](auto& f) { return engine.InsertNew(f, keys, answers); }, filter);
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
                          [](const ScalableFilter& f) { return f.layers().front().spec(); }},
                    filter);
}

uint64_t Inserted(const AnyFilter& filter) {
  return std::visit([](const auto& f) { return f.inserted(); }, filter);
}

uint64_t Bytes(const AnyFilter& filter) {
  return std::visit(Cases{[](const Filter& f) { return f.spec().bytes(); },
                          [](const ScalableFilter& f) { return f.bytes(); }},
                    filter);
}

uint64_t Capacity(const AnyFilter& filter) {
  const auto* fixed = std::get_if<Filter>(&filter);
  return fixed == nullptr ? 0 : fixed->plan().capacity;
}

double PromisedFpr(const AnyFilter& filter) {
  return std::visit(Cases{[](const Filter& f) { return f.plan().fpr; },
                          [](const ScalableFilter& f) { return f.fpr(); }},
                    filter);
}

bool Overfull(const AnyFilter& filter) {
  const auto* fixed = std::get_if<Filter>(&filter);
  return fixed != nullptr && fixed->overfull();
}

double RateAt(const AnyFilter& filter, double keys) {
  constexpr double kMost = 1e19;  // within 64 bits
  return std::visit(Cases{[&](const Filter& f) {
                            return tamis::ExpectedFpr(
                                f.spec(), static_cast<uint64_t>(std::fmin(keys, kMost)));
                          },
                          [](const ScalableFilter& f) { return f.ExpectedFpr(); }},
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
                          [](const ScalableFilter& f) {
                            return OverLayers(f, [](const Filter& layer) { return layer.Fill(); });
                          }},
                    filter);
}

double ExpectedFill(const AnyFilter& filter) {
  return std::visit(Cases{[](const Filter& f) { return ExpectedFillOf(f); },
                          [](const ScalableFilter& f) { return OverLayers(f, ExpectedFillOf); }},
                    filter);
}

std::string Describe(const AnyFilter& filter) {
  std::string text =
      fmt::format("{}, {}", NameOf(HashSpec(filter).variant), ByteText(Bytes(filter)));
  if (const auto* growing = std::get_if<ScalableFilter>(&filter)) {
    text += fmt::format(", scalable with {} layer{} at {}", growing->layers().size(),
                        growing->layers().size() == 1 ? "" : "s", growing->fpr());
  } else if (Capacity(filter) != 0) {
    text += fmt::format(", planned for {} keys at {:.3g}", Capacity(filter), PromisedFpr(filter));
  }
  return text;
}

void WriteMembers(Json& json, const AnyFilter& filter) {
  const auto* growing = std::get_if<ScalableFilter>(&filter);
  const Spec spec = HashSpec(filter);
  json.Member("family", growing == nullptr ? "filter" : "scalable");
  json.Member("variant", NameOf(spec.variant));
  json.Member("hash", NameOf(spec.hash));
  json.Member("seed", spec.seed);
  json.Member("k", spec.k);
  json.Member("bytes", Bytes(filter));
  json.Member("inserted", Inserted(filter));
  if (growing == nullptr) {
    json.Member("blocks", spec.blocks);
    json.Member("bits", spec.bits());
    json.Member("probe", NameOf(spec.probe));
    json.Member("capacity", Capacity(filter));
    json.Member("overfull", Overfull(filter));
  } else {
    json.Member("first_capacity", growing->first_capacity());
    json.Key("layers").BeginArray();
    for (const Filter& layer : growing->layers()) {
      json.BeginObject();
      json.Member("blocks", layer.spec().blocks);
      json.Member("capacity", layer.plan().capacity);
      json.Member("fpr", layer.plan().fpr);
      json.Member("inserted", layer.inserted());
      json.EndObject();
    }
    json.EndArray();
  }
  json.Member("fpr", PromisedFpr(filter));
  json.Member("expected_fpr", ExpectedFpr(filter));
}

}  // namespace tamis::command
