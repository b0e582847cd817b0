// The device's part of a run: its limits, then DeviceFilter's verbs with keys and answers on the
// device, and with both on the host, so that transfers count.
#ifndef TAMIS_BENCH_DEVICE_H_
#define TAMIS_BENCH_DEVICE_H_

#include <functional>
#include <string_view>
#include <vector>

#include "bench/grid.h"
#include "bench/result.h"

namespace tamis::bench {

struct DeviceRows {
  std::vector<LimitRow> limits;  ///< access read or update, pages "device"
  /// Backend cuda, target the device's name, pages "device", or "host" with transfers.
  std::vector<WorkRow> rows;
};

/// Nothing where there is no device. Calls `next` with a name before each piece of work.
DeviceRows MeasureDevice(Extent extent, const std::function<void(std::string_view)>& next);

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_DEVICE_H_
