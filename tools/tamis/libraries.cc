#include "libraries.h"

#include <fmt/format.h>

#ifdef TAMIS_HAVE_BZIP2
#include <bzlib.h>
#endif
#ifdef TAMIS_HAVE_GZIP
#include <isa-l.h>
#endif
#ifdef TAMIS_HAVE_XZ
#include <lzma.h>
#endif
#ifdef TAMIS_HAVE_JSON
#include <simdjson.h>
#endif
#ifdef TAMIS_HAVE_URI
#include <uriparser/UriBase.h>
#endif
#ifdef TAMIS_HAVE_UTF8PROC
#include <utf8proc.h>
#endif
#ifdef TAMIS_HAVE_ZSTD
#include <zstd.h>
#endif

namespace tamis::command {

std::vector<std::pair<std::string, std::string>> LibraryVersions() {
  std::vector<std::pair<std::string, std::string>> versions;
#ifdef TAMIS_HAVE_BZIP2
  versions.emplace_back("bzip2", BZ2_bzlibVersion());
#endif
#ifdef TAMIS_HAVE_GZIP
  versions.emplace_back(
      "isa-l", fmt::format("{}.{}.{}", ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION, ISAL_PATCH_VERSION));
#endif
#ifdef TAMIS_HAVE_XZ
  versions.emplace_back("liblzma", lzma_version_string());
#endif
#ifdef TAMIS_HAVE_JSON
  versions.emplace_back("simdjson", fmt::format("{}.{}.{}", int{simdjson::SIMDJSON_VERSION_MAJOR},
                                                int{simdjson::SIMDJSON_VERSION_MINOR},
                                                int{simdjson::SIMDJSON_VERSION_REVISION}));
#endif
#ifdef TAMIS_HAVE_URI
  versions.emplace_back("uriparser", URI_VER_ANSI);
#endif
#ifdef TAMIS_HAVE_UTF8PROC
  versions.emplace_back("utf8proc", utf8proc_version());
#endif
#ifdef TAMIS_HAVE_ZSTD
  versions.emplace_back("zstd", ZSTD_versionString());
#endif
  return versions;
}

}  // namespace tamis::command
