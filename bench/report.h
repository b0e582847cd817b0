// report.html: what one run of the suite found, or several side by side, as charts and tables in
// one file that needs nothing else: no network, no script.
#ifndef TAMIS_BENCH_REPORT_H_
#define TAMIS_BENCH_REPORT_H_

#include <string>
#include <vector>

#include "bench/result.h"

namespace tamis::bench {

/// The report of these results as HTML. What they do not hold, it says was not measured.
std::string RenderReport(const std::vector<Result>& results);

/// Writes it to a file, whole or not at all. Throws FileError.
void WriteReport(const std::vector<Result>& results, const std::string& path);

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_REPORT_H_
