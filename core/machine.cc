#include "tamis/machine.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <thread>

namespace tamis {

namespace {

uint64_t SystemValue(int name, uint64_t otherwise) {
  const long value = sysconf(name);
  return value > 0 ? static_cast<uint64_t>(value) : otherwise;
}

// Of the cache at this level that holds data, as one core sees it. The kernel's own files, since
// sysconf adds up those of all cores on some systems; 0 if there are none.
uint64_t CacheBytes(int level) {
  for (int index = 0; index < 8; ++index) {
    const std::string folder =
        "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + '/';
    int found_level = 0;
    std::string type;
    std::ifstream(folder + "level") >> found_level;
    std::ifstream(folder + "type") >> type;
    if (found_level != level || type == "Instruction") continue;
    uint64_t size = 0;
    char unit = 'B';
    std::ifstream(folder + "size") >> size >> unit;
    return unit == 'K' ? size << 10 : unit == 'M' ? size << 20 : size;
  }
  return 0;
}

uint64_t CacheBytes(int level, int name, uint64_t otherwise) {
  const uint64_t size = CacheBytes(level);
  return size != 0 ? size : SystemValue(name, otherwise);
}

int AllowedProcessors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Machine Read() {
  const uint64_t page = SystemValue(_SC_PAGESIZE, 4096);
  return {
      .l1_bytes = CacheBytes(1, _SC_LEVEL1_DCACHE_SIZE, 32 << 10),
      .l2_bytes = CacheBytes(2, _SC_LEVEL2_CACHE_SIZE, 1 << 20),
      .l3_bytes = CacheBytes(3, _SC_LEVEL3_CACHE_SIZE, 16 << 20),
      .page_bytes = page,
      .memory_bytes = page * SystemValue(_SC_PHYS_PAGES, 0),
      .threads = AllowedProcessors(),
  };
}

}  // namespace

const Machine& ThisMachine() {
  static const Machine machine = Read();
  return machine;
}

}  // namespace tamis
