// Filters in the formats of other systems, read and written as those systems do. core/formats/ has
// a file for each, and a README with their layouts.
//
//   tamis::FilterFile feed = tamis::LoadAny("feed.bloom");
//   tamis::SaveAs(feed, "feed.tamis", "tamis");
//
// Nothing read is trusted: every field is held against its range and against the file's length
// before memory is taken, and bytes after a filter are refused.
#ifndef TAMIS_FORMATS_H_
#define TAMIS_FORMATS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/file.h"

namespace tamis {

/// A filter out of a file, and what the file says beside its bits.
struct FilterFile {
  AnyFilter filter;
  std::string format = "tamis";  ///< its name
  bool counted = true;        ///< whether the file says how many keys went in; if not, inserted()
                              ///< is the number that the bits make likely
  std::string attached = {};  ///< bytes of the user's own, which DCSO's files can carry
};

struct FormatFacts {
  std::string_view name;
  std::string_view about;  ///< one line
};

/// All formats, tamis's own first.
std::vector<FormatFacts> Formats();

/// Reads a filter of the format named, or, if `format` is empty, of that which the content shows.
/// A bare bitset shows nothing and must be named. LoadMode::kMap maps files of tamis's own format;
/// others are read, since their words do not lie where they could be used in place; `secret` is as
/// in Load. Throws
/// InvalidArgument for an unknown name, else as Load does.
FilterFile LoadAny(const std::string& path, std::string_view format = "",
                   LoadMode mode = LoadMode::kRead, const Secret& secret = {});

/// What a file in that format would not say, for a message: "the number of keys (1000)"; empty if
/// it says all.
std::string LossOf(const FilterFile& file, std::string_view format);

/// Writes the filter to `path` as Save does. What LossOf tells is left out. Throws InvalidArgument,
/// and writes nothing, if the format cannot hold the bits at all: another variant, scheme, seed or
/// size.
void SaveAs(const FilterFile& file, const std::string& path, std::string_view format);

/// An empty filter of that format for `keys` keys at rate `fpr`, sized as the format's own makers
/// size theirs. Throws InvalidArgument for a value out of range, a seed that the format cannot
/// hold, and for tamis's own format, which holds many kinds of filter: PlanFor serves there.
Plan PlanForFormat(std::string_view format, uint64_t keys, double fpr, uint64_t seed = 0);

}  // namespace tamis

#endif  // TAMIS_FORMATS_H_
