// From records to keys: which part of a record is its key, and what two keys may differ in and
// still be one.
#ifndef TAMIS_TOOLS_KEY_MAKER_H_
#define TAMIS_TOOLS_KEY_MAKER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chunk.h"
#include "input.h"
#include "json_field.h"
#include "key_form.h"
#include "normalize.h"
#include "record_format.h"
#include "tamis/engine.h"

namespace tamis::command {

/// What makes a record's key. Without json and columns it is the whole record.
struct KeyRule {
  RecordFormat format;
  std::vector<JsonPath> json;        ///< fields of a JSON record
  std::vector<std::string> columns;  ///< of a table, by name, or by number from 1 on
  bool header = false;               ///< a table's first record names its columns
  bool hex = false;                  ///< the record is the key in hexadecimal digits
  Normalization normalization;
  KeyForm form = KeyForm::kBytes;           ///< of each field, once it is normalised
  std::optional<ParagraphRule> paragraphs;  ///< makes many keys of a record

  /// Whether the key is the record itself, which then is hashed where it lies.
  bool whole() const {
    return json.empty() && columns.empty() && !hex && !normalization.any() &&
           form == KeyForm::kBytes && !paragraphs;
  }
};

/// For any number of threads at once, but for TakeHeader.
class KeyMaker {
 public:
  explicit KeyMaker(KeyRule rule);

  const KeyRule& rule() const { return rule_; }

  /// For the read stage: takes the header off a chunk that begins a table. The first one says where
  /// columns are. Throws FileError, with `name`, if a column is not there, or if a later header is
  /// not the same.
  void TakeHeader(Chunk& chunk, const std::string& name);

  /// Finds the records of a chunk, makes their keys, and hashes those. Records without a key are
  /// noted in chunk.bad.
  void Prepare(Chunk& chunk, const Engine& engine, const Spec& spec) const;

  /// The bytes of key i, once they are prepared.
  std::string_view KeyAt(const Chunk& chunk, uint64_t i) const;

  /// Appends the key of one record. Several fields are joined so that ("ab", "c") differs from
  /// ("a", "bc"): before each stands its length, 8 bytes, little-endian. Returns what is wrong, or
  /// nothing.
  std::string_view AppendKey(std::string_view record, std::string& text) const;

 private:
  void MakeKeys(Chunk& chunk) const;
  void MakeParagraphs(Chunk& chunk) const;
  std::string_view AppendParagraphs(std::string_view record, Chunk& chunk) const;
  void HashWhole(Chunk& chunk, const Engine& engine, const Spec& spec) const;
  std::string_view AppendPart(std::string_view record, size_t field,
                              const std::vector<std::string_view>& cells, std::string& text) const;

  KeyRule rule_;
  std::optional<std::string> header_;
  std::vector<size_t> columns_;  // from 0 on
};

/// The read stage of every subcommand: the next chunk, less a header. False at the end.
bool ReadRecords(Input& input, KeyMaker& maker, Chunk& chunk);

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_KEY_MAKER_H_
