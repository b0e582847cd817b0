// The classes of the command-line library, by name alone. What adds options includes <CLI/CLI.hpp>
// itself; its 9,000 lines of templates are too much for every file that only reads what was given.
#ifndef TAMIS_TOOLS_COMMAND_LINE_H_
#define TAMIS_TOOLS_COMMAND_LINE_H_

namespace CLI {
class App;
class Option;
}  // namespace CLI

#endif  // TAMIS_TOOLS_COMMAND_LINE_H_
