// The verbs and reports of a filter of whatever family, so that subcommands need not care which.
#ifndef TAMIS_TOOLS_FAMILIES_H_
#define TAMIS_TOOLS_FAMILIES_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "json.h"
#include "tamis/engine.h"
#include "tamis/file.h"

namespace tamis::command {

uint64_t InsertNew(Engine& engine, AnyFilter& filter, const Keys& keys,
                   std::span<uint8_t> answers = {});
uint64_t Contains(const Engine& engine, const AnyFilter& filter, const Keys& keys,
                  std::span<uint8_t> answers = {});

/// Says what time it is, in seconds since 1970: a window forgets what is over. Others do not care.
void AdvanceTo(AnyFilter& filter, uint64_t unix_seconds);

/// Moves the filter to where the engine works on it fastest.
void Place(Engine& engine, AnyFilter& filter);

/// A Spec with the filter's hash: what keys are to be hashed by, now and when it has grown.
Spec HashSpec(const AnyFilter& filter);

uint64_t Inserted(const AnyFilter& filter);
uint64_t Bytes(const AnyFilter& filter);
/// Keys planned for; 0 if it is of a family, or was made by size alone.
uint64_t Capacity(const AnyFilter& filter);
/// What was planned for, in words: "1000 distinct lines", or those of one generation of a window.
std::string Planned(const AnyFilter& filter);
/// The rate promised up to there; 0 if none was.
double PromisedFpr(const AnyFilter& filter);
bool Overfull(const AnyFilter& filter);
/// The rate expected if `keys` distinct keys had been offered. A family does not lose so many that
/// it would differ from what its layers say.
double RateAt(const AnyFilter& filter, double keys);
double ExpectedFpr(const AnyFilter& filter);
double ObservedFpr(const AnyFilter& filter);
/// Share of bits set: as counted, which reads them all, and as expected from the number of keys.
double Fill(const AnyFilter& filter);
double ExpectedFill(const AnyFilter& filter);

/// "filter", "scalable" or "windowed".
std::string_view FamilyName(const AnyFilter& filter);

/// One of the filters that a family is made of, oldest first, and what to call it: "layer 2", or
/// "generation 19723, from 2024-01-01T00:00:00Z". None of what is no family.
struct NamedLayer {
  std::string name;
  const Filter* filter;
};
std::vector<NamedLayer> NamedLayers(const AnyFilter& filter);

/// "7 generations of 86400 seconds, planned for 1000 keys each".
std::string Describe(const Window& window);
/// "split_block, 12.3 MiB, planned for 1000 keys at 0.001".
std::string Describe(const AnyFilter& filter);
/// The same as an object's members.
void WriteMembers(Json& json, const AnyFilter& filter);

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_FAMILIES_H_
