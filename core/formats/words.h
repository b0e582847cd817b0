// Formats that are a short big-endian header and then the words, to the end of the file: Spark's,
// Guava's, bits-and-blooms'. Not installed.
#ifndef TAMIS_CORE_FORMATS_WORDS_H_
#define TAMIS_CORE_FORMATS_WORDS_H_

#include <cstdint>
#include <string>

#include "formats/format.h"

namespace tamis {

/// A big-endian number, as its bytes.
template <typename T>
std::string BigEndian(T number) {
  std::string bytes;
  for (size_t i = sizeof(T); i-- > 0;) bytes += static_cast<char>(number >> (8 * i));
  return bytes;
}

/// Reads a filter whose words begin at `offset` and end the file. Throws FileError if the length
/// is another.
FilterFile ReadWordsToEnd(const InputFile& file, uint64_t offset, const Spec& spec);

/// Writes a header and then the words.
void WriteWords(const Filter& filter, const std::string& header, const std::string& path);

}  // namespace tamis

#endif  // TAMIS_CORE_FORMATS_WORDS_H_
