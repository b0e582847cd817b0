// A key of the input, and which it is.
#ifndef TAMIS_TOOLS_NUMBERED_KEY_H_
#define TAMIS_TOOLS_NUMBERED_KEY_H_

#include <cstdint>
#include <string_view>

namespace tamis::command {

struct NumberedKey {
  uint64_t number = 0;  ///< among all keys, from 0 on
  uint64_t hash = 0;    ///< the same for equal keys; nothing more is asked of it
  std::string_view bytes;
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_NUMBERED_KEY_H_
