#include "tamis/machine.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

namespace tamis {

namespace {

uint64_t SystemValue(int name, uint64_t otherwise) {
  const long value = sysconf(name);
  return value > 0 ? static_cast<uint64_t>(value) : otherwise;
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
      .l1_bytes = SystemValue(_SC_LEVEL1_DCACHE_SIZE, 32 << 10),
      .l2_bytes = SystemValue(_SC_LEVEL2_CACHE_SIZE, 1 << 20),
      .l3_bytes = SystemValue(_SC_LEVEL3_CACHE_SIZE, 16 << 20),
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
