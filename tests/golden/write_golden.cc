// Writes the golden files anew: write_golden DIRECTORY. For each filter in golden_filters.h,
//   NAME.tamis    the native file
//   NAME.answers  what it answers: a line a key, "1 key" if present, "0 key" if not
// The files in this folder were written so, once. A change to them is a change of the format, or a
// fault: see core/README.md before committing one.
#include <cstdio>
#include <exception>

#include "golden/golden_filters.h"
#include "tamis/atomic_file.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_golden DIRECTORY\n");
    return 2;
  }
  try {
    for (const auto& [name, filter] : tamis::golden::Filled()) {
      const std::string path = std::string(argv[1]) + "/" + name;
      tamis::Save(filter, path + ".tamis");
      tamis::AtomicFile answers(path + ".answers");
      answers.Append(tamis::golden::AnswersOf(filter));
      answers.Commit();
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "write_golden: %s\n", error.what());
    return 2;
  }
  return 0;
}
