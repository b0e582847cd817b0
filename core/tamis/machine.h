// What the machine has: read once, used to choose strategies and to report.
#ifndef TAMIS_MACHINE_H_
#define TAMIS_MACHINE_H_

#include <cstdint>

namespace tamis {

struct Machine {
  uint64_t l1_bytes;  ///< data caches, of one core; a common value where the system does not tell
  uint64_t l2_bytes;
  uint64_t l3_bytes;  ///< shared
  uint64_t page_bytes;
  uint64_t memory_bytes;
  int threads;  ///< processors that this process may run on
};

const Machine& ThisMachine();

}  // namespace tamis

#endif  // TAMIS_MACHINE_H_
