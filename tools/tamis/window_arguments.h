// Options of what forgets: how a window is cut, and what time it is.
#ifndef TAMIS_TOOLS_WINDOW_ARGUMENTS_H_
#define TAMIS_TOOLS_WINDOW_ARGUMENTS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "arguments.h"
#include "command_line.h"
#include "tamis/file.h"
#include "tamis/windowed.h"

namespace tamis::command {

/// The time that windows go by: the system's, or the one that was given in its place.
struct ClockArgument {
  std::optional<uint64_t> now;  ///< seconds since 1970

  void AddTo(CLI::App& app);
  uint64_t Seconds() const;
};

struct WindowArguments {
  std::optional<uint64_t> seconds;
  std::optional<uint64_t> keys;
  uint32_t generations = 8;
  ClockArgument clock;

  void AddTo(CLI::App& app);
  bool wanted() const { return seconds || keys; }
  /// Throws InvalidArgument for a plan that does not go with it.
  WindowedFilter Make(const PlanArguments& plan) const;
  /// Throws SpecMismatch if `filter`, read from `name`, has another window than is wanted, or none.
  void RequireSame(const AnyFilter& filter, const PlanArguments& plan,
                   const std::string& name) const;

 private:
  Window Cut(const PlanArguments& plan) const;
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_WINDOW_ARGUMENTS_H_
