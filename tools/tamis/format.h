// Numbers as people read and write them.
#ifndef TAMIS_TOOLS_FORMAT_H_
#define TAMIS_TOOLS_FORMAT_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace tamis::command {

/// "10M", "2.5G", "1e6", "1000": a whole number. k, M, G and T are powers of 1000. Throws
/// InvalidArgument naming `option`.
uint64_t ParseCount(std::string_view option, std::string_view text);
/// The same for sizes, where Ki, Mi, Gi and Ti are powers of 1024 and a B may follow: "64MiB".
uint64_t ParseBytes(std::string_view option, std::string_view text);
/// "0.001" or "0.1%", between 0 and 1, both excluded.
double ParseRate(std::string_view option, std::string_view text);
/// A plain number.
double ParseNumber(std::string_view option, std::string_view text);
/// "90s", "10m", "12h" or "7d", more than none, in seconds.
double ParseSeconds(std::string_view option, std::string_view text);

/// "1704067200" (seconds since 1970), "2024-01-01" or "2024-01-01T12:30:00Z", in seconds since
/// 1970.
uint64_t ParseTime(std::string_view option, const std::string& text);
/// "2024-01-01T12:30:00Z"; in digits where no calendar goes so far.
std::string TimeText(uint64_t unix_seconds);

/// "12.3 MiB".
std::string ByteText(uint64_t bytes);
/// Every control character as \xNN, so that a message about an odd file name stays one line.
std::string OneLine(std::string_view text);

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_FORMAT_H_
