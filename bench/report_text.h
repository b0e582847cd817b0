// Numbers as a reader wants them: three digits that matter, with their unit.
#ifndef TAMIS_BENCH_REPORT_TEXT_H_
#define TAMIS_BENCH_REPORT_TEXT_H_

#include <cstdint>
#include <string>

#include "bench/range.h"

namespace tamis::bench {

/// Three significant digits, without an exponent where that is readable: 0.0123, 4.56, 1230. A dash
/// for what is not a number.
std::string Number(double value);

/// A share as a percentage: "97.3 %".
std::string Percent(double share);

/// "32 KiB", "1.2 GiB".
std::string Bytes(double bytes);

/// "850", "26.2 k", "100 M".
std::string Count(uint64_t count);

/// "1 thread", "2 threads".
std::string Plural(uint64_t count, const std::string& noun);

/// A dash where the value is 0: not measured.
std::string NumberOrDash(double value);
std::string PercentOrDash(double share);

/// "0.98 to 1.02", or one number where both read the same.
std::string Words(const Range& range);

/// What an op of a result is called in a title: "Contains", "Insert", "InsertNew".
std::string OpName(const std::string& op);

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_REPORT_TEXT_H_
