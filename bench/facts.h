// What result.json says about the machine.
#ifndef TAMIS_BENCH_FACTS_H_
#define TAMIS_BENCH_FACTS_H_

#include "bench/result.h"

namespace tamis::bench {

/// All but the noise, which a run finds out.
MachineFacts Facts();

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_FACTS_H_
