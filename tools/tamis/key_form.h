// How a record's text becomes the bytes of a key, for filters that other programs made over numbers
// or over text of their own.
#ifndef TAMIS_TOOLS_KEY_FORM_H_
#define TAMIS_TOOLS_KEY_FORM_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "chunk.h"
#include "command_line.h"
#include "record_format.h"
#include "tamis/keys.h"
#include "tamis/parquet.h"

namespace tamis::command {

enum class KeyForm : uint8_t {
  kBytes,   ///< as it stands: strings in UTF-8, bytes
  kUtf16,   ///< UTF-8 turned into little-endian UTF-16, as Java's characters
  kInt32,   ///< a decimal number of 32 bits, little-endian
  kInt64,   ///< the same of 64 bits, signed or not
  kFloat,   ///< a number as little-endian binary32
  kDouble,  ///< the same as binary64
};

/// The form of that name; throws InvalidArgument with the valid ones.
KeyForm KeyFormFromName(std::string_view name);
/// What a column's filter hashes; throws InvalidArgument for types whose values have no text.
KeyForm KeyFormOf(ParquetType type);

/// Adds --keys, which names a form, to a subcommand.
void AddKeyForm(CLI::App& app, KeyForm& form);

/// Appends the key for a text. Returns what is wrong with it, or nothing.
std::string_view AppendFormed(KeyForm form, std::string_view text, std::string& bytes);

/// Records of one chunk as keys of some form.
class FormedKeys {
 public:
  /// Finds the records of `chunk` and forms their keys; both must outlive the view. Throws
  /// InvalidArgument, with the record, if one has none.
  Keys Make(Chunk& chunk, const RecordFormat& format, KeyForm form);

 private:
  std::string bytes_;
  std::vector<uint64_t> offsets_;
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_KEY_FORM_H_
