#include "formats/words.h"

#include "checker.h"
#include "formats/body.h"
#include "tamis/error.h"

namespace tamis {

FilterFile ReadWordsToEnd(const InputFile& file, uint64_t offset, const Spec& spec) {
  const std::string& where = file.path();
  if (file.size() < offset || file.size() - offset != spec.bytes()) {
    Checker(where).Refuse("file length", Text(file.size()),
                          Text(offset) + " and " + Text(spec.bytes()) + " bytes of words");
  }
  Filter filter = EmptyFilter({.spec = spec}, where);
  ReadBody(file, offset, std::endian::big, filter, where);
  EstimateInserted(filter);
  return {.filter = std::move(filter), .counted = false};
}

void WriteWords(const Filter& filter, const std::string& header, const std::string& path) {
  AtomicFile out(path);
  out.Append(header);
  AppendBody(out, filter, std::endian::big);
  out.Commit();
}

}  // namespace tamis
