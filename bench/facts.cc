#include "bench/facts.h"

#include <sys/utsname.h>

#include <ctime>
#include <fstream>
#include <string>

#include "bench/pinned.h"
#include "tamis/machine.h"
#include "tamis/storage.h"

namespace tamis::bench {

namespace {

// The model's name where the system tells it, as on x86-64, or else the architecture's.
std::string Cpu() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) {
      const size_t colon = line.find(": ");
      if (colon != std::string::npos) return line.substr(colon + 2);
    }
  }
  utsname names{};
  return uname(&names) == 0 ? names.machine : "unknown";
}

std::string Now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[sizeof "2000-01-01T00:00:00Z"];
  const size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text, length};
}

constexpr const char* kCompiler =
#if defined(__clang__)
    "clang " __clang_version__;
#else
    "gcc " __VERSION__;
#endif

}  // namespace

MachineFacts Facts() {
  MachineFacts facts;
  const Machine& machine = ThisMachine();
  facts.cpu = Cpu();
  facts.cores = static_cast<int>(Processors().size());
  facts.l1_bytes = machine.l1_bytes;
  facts.l2_bytes = machine.l2_bytes;
  facts.l3_bytes = machine.l3_bytes;
  facts.memory_bytes = machine.memory_bytes;
  facts.page_kinds = {"4k"};
  constexpr uint64_t kProbe = uint64_t{8} << 20;
  const std::string pages = Storage::Zeroed(kProbe).pages();
  if (pages != "4k") facts.page_kinds.push_back(pages);
  facts.compiler = kCompiler;
  facts.version = TAMIS_VERSION;
  facts.date = Now();
  return facts;
}

}  // namespace tamis::bench
