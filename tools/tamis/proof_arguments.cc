#include "proof_arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "format.h"
#include "tamis/error.h"

namespace tamis::command {

void ProofArguments::AddTo(CLI::App& app) {
  CLI::Option* no_errors =
      app.add_flag("--exact", exact,
                   "Drop nothing wrongly: reads the input twice, and compares the lines called\n"
                   "duplicates with those before them. What is no file is copied to one in TMPDIR");
  app.add_flag("--audit", audit, "Write as without it, then count how many were dropped wrongly")
      ->excludes(no_errors);
  app.add_option_function<std::string>(
         "--memory",
         [this](const std::string& text) {
           constexpr uint64_t kLeast = uint64_t{64} << 10;
           memory = ParseBytes("--memory", text);
           if (memory < kLeast) {
             throw InvalidArgument(fmt::format("--memory {}: it must be 64KiB or more", text));
           }
         },
         "Memory for --exact and --audit, besides the filter (default 1GiB); what\n"
         "needs more goes to temporary files in TMPDIR, or /tmp")
      ->option_text("S");
}

}  // namespace tamis::command
