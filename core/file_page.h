// The header pages of a `.tamis` file, as structs whose memory is the file's bytes: little-endian,
// naturally aligned, without gaps. core/README.md has the same as a table. Not installed.
//
// Parse* trusts nothing: it takes any 4096 bytes and returns a page whose every field is in range,
// or throws FileError. Whoever changes a layout counts kFileVersion up and keeps reading the old.
#ifndef TAMIS_CORE_FILE_PAGE_H_
#define TAMIS_CORE_FILE_PAGE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "tamis/filter.h"
#include "tamis/scalable.h"
#include "tamis/windowed.h"

namespace tamis {

inline constexpr uint64_t kFilePage = 4096;
inline constexpr uint32_t kFileVersion = 1;

enum class FileKind : uint32_t { kFilter = 1, kScalable = 2, kWindowed = 3 };

using RawPage = std::array<std::byte, kFilePage>;

/// "\x89tamis\r\n": no text begins so, and a transfer that bends line ends or drops the eighth bit
/// shows at once (the idea is PNG's).
inline constexpr uint64_t kMagic = 0x0a0d'7369'6d61'7489;

/// What every page begins with.
struct PageStart {
  uint64_t magic;
  uint32_t version;
  uint32_t kind;
  uint32_t variant;
  uint32_t hash;
  uint64_t seed;
};

/// Before the bytes of one filter: a whole file of kind 1, or a layer in a file of another kind.
struct FilterPage {
  PageStart start;
  uint64_t blocks;
  uint32_t k;
  uint32_t block_bytes;
  uint64_t inserted;
  uint64_t capacity;
  double fpr;
  uint64_t body_bytes;
  uint64_t body_checksum;
  uint64_t m;  // of a classic filter, and its probe scheme; else 0
  uint32_t probe;
  uint32_t gap;
  uint64_t secret_check;  // of a keyed hash scheme; else 0
  std::array<std::byte, 3976> zero;
  uint64_t checksum;
};

/// First page of a scalable filter. Its layers follow, each with a page of its own.
struct ScalablePage {
  PageStart start;
  uint64_t first_capacity;
  double fpr;
  double tighten;
  uint64_t growth;
  uint32_t layers;
  uint32_t interop;
  uint32_t k;      // of every layer; 0 if each has its best
  uint32_t probe;  // of classic layers; 0: tamis's own
  uint64_t secret_check;
  std::array<std::byte, 4000> zero;
  uint64_t checksum;
};

/// First page of a windowed filter. Its living generations that have keys follow, oldest first,
/// each with a page of its own.
struct WindowedPage {
  PageStart start;
  uint64_t period;    // seconds; 0: by count
  uint64_t capacity;  // of a generation
  double fpr;
  uint64_t current;  // number of the current generation
  uint32_t generations;
  uint32_t layers;  // generations in the file
  uint32_t k;       // as in ScalablePage
  uint32_t probe;
  uint32_t interop;
  uint32_t gap;
  uint64_t secret_check;
  std::array<uint64_t, Window::kMaxGenerations> numbers;  // of those in the file; then 0
  std::array<std::byte, 1944> zero;
  uint64_t checksum;
};

template <typename Page>
inline constexpr bool kIsFilePage =
    sizeof(Page) == kFilePage&& std::is_trivially_copyable_v<Page>&& offsetof(Page, checksum) ==
    kFilePage - sizeof(uint64_t);
static_assert(sizeof(PageStart) == 32);
static_assert(kIsFilePage<FilterPage> && offsetof(FilterPage, zero) == 112);
static_assert(kIsFilePage<ScalablePage> && offsetof(ScalablePage, zero) == 88);
static_assert(kIsFilePage<WindowedPage> && offsetof(WindowedPage, zero) == 2144);

/// XXH64 of all but the last field, which holds it.
uint64_t ChecksumOf(const RawPage& raw);

/// What a page says of a secret key: its check value, 0 for zeros.
uint64_t CheckOf(const Secret& secret);

/// Throws FileError unless every field is in its range and they go together.
void Check(const FilterPage& page, const std::string& where);
void Check(const ScalablePage& page, const std::string& where);
void Check(const WindowedPage& page, const std::string& where);

/// The page for a filter, less its body_checksum. Throws FileError, with `where`, if the filter
/// holds what no reader would take, such as a planned rate that is no number.
FilterPage PageOf(const Filter& filter, const std::string& where);
ScalablePage PageOf(const ScalableFilter& filter, const std::string& where);
WindowedPage PageOf(const WindowedFilter& filter, const std::string& where);

/// The page's bytes, with their checksum.
RawPage Seal(const FilterPage& page);
RawPage Seal(const ScalablePage& page);
RawPage Seal(const WindowedPage& page);

/// Checks magic, version and checksum, and returns the kind. `where` begins every message: the
/// file's name, and the layer.
FileKind ParseKind(const RawPage& raw, const std::string& where);

/// The same, and checks every field that a page of this kind has.
FilterPage ParseFilterPage(const RawPage& raw, const std::string& where);
ScalablePage ParseScalablePage(const RawPage& raw, const std::string& where);
WindowedPage ParseWindowedPage(const RawPage& raw, const std::string& where);

/// Refuses layer `i` of a family if it does not follow from the family's page. How many blocks it
/// must have is for the family to say.
void CheckLayer(const FilterPage& layer, const ScalablePage& family, uint32_t i,
                const std::string& where);
void CheckLayer(const FilterPage& layer, const WindowedPage& family, uint32_t i,
                const std::string& where);

/// What the pages of a filter or of a family say, with the secret key that the reader brought.
/// CheckSecret comes first.
Plan PlanOf(const FilterPage& page, const Secret& secret = {});
PlanOptions OptionsOf(const ScalablePage& page, const Secret& secret = {});
PlanOptions OptionsOf(const WindowedPage& page, const Secret& secret = {});
Window WindowOf(const WindowedPage& page);

/// Refuses a filter by a keyed hash if the reader's key is missing (zeros) or another one.
void CheckSecret(const FilterPage& page, const Secret& secret, const std::string& where);

/// Bytes of a body and the zeros that fill its last page. `body_bytes` is that of a checked page.
constexpr uint64_t PaddedBytes(uint64_t body_bytes) {
  return (body_bytes + kFilePage - 1) / kFilePage * kFilePage;
}

/// "2 (scalable filter)".
std::string_view NameOf(FileKind kind);

}  // namespace tamis

#endif  // TAMIS_CORE_FILE_PAGE_H_
