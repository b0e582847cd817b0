// tamis's own files (core/file.cc), as one format among others.

#include "formats/format.h"
#include "tamis/error.h"

namespace tamis {

namespace {

bool Recognises(const Head& head) { return head.Begins("\x89tamis\r\n"); }

FilterFile Read(const InputFile& file, LoadMode mode) {
  return {.filter = Load(file.path(), mode)};
}

void Write(const FilterFile& file, const std::string& path) { Save(file.filter, path); }

Plan PlanAny(uint64_t /*keys*/, double /*fpr*/, uint64_t /*seed*/) {
  throw InvalidArgument("tamis's own format holds any filter: plan by variant");
}

}  // namespace

const Format& TamisFormat() {
  static constexpr Format kFormat = {
      .name = "tamis",
      .about = "tamis's own: all that is known of a filter, checksums, can be mapped",
      .says = {.keys = true, .plan = true, .layers = true},
      .recognises = Recognises,
      .read = Read,
      .write = Write,
      .plan = PlanAny,
  };
  return kFormat;
}

}  // namespace tamis
