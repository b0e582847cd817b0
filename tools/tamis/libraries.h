// The libraries that read what the command is given, for reports.
#ifndef TAMIS_TOOLS_LIBRARIES_H_
#define TAMIS_TOOLS_LIBRARIES_H_

#include <string>
#include <utility>
#include <vector>

namespace tamis::command {

/// Name and version of each that is compiled in, by name.
std::vector<std::pair<std::string, std::string>> LibraryVersions();

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_LIBRARIES_H_
