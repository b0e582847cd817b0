// Reading and writing the native file. A file is one filter, or a page for a family and then its
// layers; filter and layer look alike: header page, body, zeros to the end of the page.
//
// Reading goes in two rounds. The first walks all header pages, checks every field, and holds the
// lengths they claim against the file's; the second allocates and brings in the bodies.

#include "tamis/file.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "file_page.h"
#include "input_file.h"
#include "tamis/atomic_file.h"
#include "tamis/error.h"

namespace tamis {

namespace {

// Bodies are read, hashed and written by pieces that stay in a core's cache from one step to the
// next.
constexpr uint64_t kPiece = uint64_t{1} << 20;

constexpr RawPage kZeroPage{};

// XXH64 of a body, piece by piece.
class BodyHash {
 public:
  BodyHash() { XXH64_reset(&state_, 0); }
  void Add(std::span<const std::byte> piece) { XXH64_update(&state_, piece.data(), piece.size()); }
  uint64_t Value() const { return XXH64_digest(&state_); }

 private:
  XXH64_state_t state_;
};

// One filter in a file, its page checked.
struct Section {
  std::string where;  // for messages: the file, and the layer
  FilterPage page;
  uint64_t body_at;
};

// All that the header pages say.
struct Contents {
  FileKind kind;
  std::variant<std::monostate, ScalablePage, WindowedPage> family;
  std::vector<Section> sections;
};

RawPage ReadPage(const InputFile& file, uint64_t at, const std::string& where) {
  if (file.size() - at < kFilePage) {
    throw FileError(where + ": file length " + std::to_string(file.size()) +
                    ": expected a header page of 4096 bytes at " + std::to_string(at));
  }
  RawPage raw;
  file.Read(at, raw);
  return raw;
}

// The section that begins at `at`, which is no more than the file's length.
Section ReadSection(const InputFile& file, uint64_t at, std::string where) {
  const FilterPage page = ParseFilterPage(ReadPage(file, at, where), where);
  const uint64_t body_at = at + kFilePage;
  if (PaddedBytes(page.body_bytes) > file.size() - body_at) {
    throw FileError(where + ": file length " + std::to_string(file.size()) + ": expected " +
                    std::to_string(body_at + PaddedBytes(page.body_bytes)) +
                    " for a body length of " + std::to_string(page.body_bytes));
  }
  return {.where = std::move(where), .page = page, .body_at = body_at};
}

// Reads sections one after the other, and keeps count of where the next begins.
class SectionReader {
 public:
  SectionReader(const InputFile& file, uint64_t at) : file_(file), at_(at) {}

  Section Next(std::string where) {
    Section section = ReadSection(file_, at_, std::move(where));
    at_ = section.body_at + PaddedBytes(section.page.body_bytes);
    return section;
  }
  uint64_t at() const { return at_; }

 private:
  const InputFile& file_;
  uint64_t at_;
};

Contents ReadContents(const InputFile& file) {
  const std::string& path = file.path();
  const RawPage first = ReadPage(file, 0, path);
  Contents contents{.kind = ParseKind(first, path), .family = {}, .sections = {}};
  SectionReader reader(file, contents.kind == FileKind::kFilter ? 0 : kFilePage);
  const auto read_layers = [&](const auto& family) {
    contents.family = family;
    for (uint32_t i = 0; i < family.layers; ++i) {
      contents.sections.push_back(reader.Next(path + ": layer " + std::to_string(i)));
      CheckLayer(contents.sections.back().page, family, i, contents.sections.back().where);
    }
  };
  switch (contents.kind) {
    case FileKind::kFilter:
      contents.sections.push_back(reader.Next(path));
      break;
    case FileKind::kScalable:
      read_layers(ParseScalablePage(first, path));
      break;
    case FileKind::kWindowed:
      read_layers(ParseWindowedPage(first, path));
      break;
  }
  if (reader.at() != file.size()) {
    throw FileError(path + ": file length " + std::to_string(file.size()) + ": expected " +
                    std::to_string(reader.at()) + ", nothing after the filter");
  }
  return contents;
}

// Refuses together what layer by layer might pass.
void CheckMemory(const Contents& contents, const std::string& path) {
  uint64_t bytes = 0;  // no overflow: the file is at least as long
  for (const Section& section : contents.sections) bytes += section.page.body_bytes;
  if (bytes <= MemoryLimit()) return;
  throw MemoryError(path + ": filter of " + std::to_string(bytes) + " bytes: the memory limit is " +
                    std::to_string(MemoryLimit()) + "; it can be mapped");
}

void CheckPadding(const InputFile& file, const Section& section) {
  const uint64_t end = section.body_at + section.page.body_bytes;
  RawPage page;
  const std::span<std::byte> padding(
      page.data(), PaddedBytes(section.page.body_bytes) - section.page.body_bytes);
  file.Read(end, padding);
  for (size_t i = 0; i < padding.size(); ++i) {
    if (padding[i] == std::byte{}) continue;
    throw FileError(section.where + ": byte at " + std::to_string(end + i) + " " +
                    std::to_string(std::to_integer<int>(padding[i])) +
                    ": expected 0 from the body to the end of its page");
  }
}

// Reads and verifies a body: into `storage`, or if that is null, just through a piece of memory.
void ReadBody(const InputFile& file, const Section& section, const Storage* storage) {
  std::vector<std::byte> scratch(storage != nullptr ? 0 : kPiece);
  BodyHash hash;
  for (uint64_t done = 0; done < section.page.body_bytes; done += kPiece) {
    std::byte* into = storage != nullptr ? storage->data() + done : scratch.data();
    const std::span<std::byte> piece(into, std::min(kPiece, section.page.body_bytes - done));
    file.Read(section.body_at + done, piece);
    hash.Add(piece);
  }
  if (hash.Value() != section.page.body_checksum) {
    char text[80];
    std::snprintf(text, sizeof text, "body checksum 0x%016" PRIx64 ": expected 0x%016" PRIx64,
                  section.page.body_checksum, hash.Value());
    throw FileError(section.where + ": " + text + ": damaged");
  }
  CheckPadding(file, section);
}

Filter LoadSection(const InputFile& file, const Section& section, LoadMode mode,
                   const Secret& secret) {
  CheckSecret(section.page, secret, section.where);
  const Plan plan = PlanOf(section.page, secret);
  if (mode == LoadMode::kMap) {
    return {plan,
            Storage::MapFile(file.fd(), section.body_at, section.page.body_bytes, section.where),
            section.page.inserted};
  }
  Storage storage = Storage::Zeroed(section.page.body_bytes);
  ReadBody(file, section, &storage);
  return {plan, std::move(storage), section.page.inserted};
}

AnyFilter LoadContents(const InputFile& file, const Contents& contents, LoadMode mode,
                       const Secret& secret) {
  if (mode == LoadMode::kRead) CheckMemory(contents, file.path());
  std::vector<Filter> filters;
  for (const Section& section : contents.sections) {
    filters.push_back(LoadSection(file, section, mode, secret));
  }
  try {
    if (const auto* page = std::get_if<ScalablePage>(&contents.family)) {
      return ScalableFilter(page->first_capacity, page->fpr, OptionsOf(*page, secret),
                            std::move(filters));
    }
    if (const auto* page = std::get_if<WindowedPage>(&contents.family)) {
      const auto* numbers = page->numbers.data();
      return WindowedFilter(WindowOf(*page), page->fpr, OptionsOf(*page, secret), page->current,
                            {numbers, numbers + page->layers}, std::move(filters));
    }
  } catch (const InvalidArgument& error) {
    throw FileError(file.path() + ": " + error.what());
  }
  return std::move(filters.front());
}

template <typename Kind>
Kind LoadKind(const std::string& path, FileKind kind, LoadMode mode, const Secret& secret) {
  const InputFile file(path);
  const Contents contents = ReadContents(file);
  if (contents.kind != kind) {
    throw FileError(path + ": kind " + std::string(NameOf(contents.kind)) + ": expected " +
                    std::string(NameOf(kind)));
  }
  return std::get<Kind>(LoadContents(file, contents, mode, secret));
}

// Appends a filter's page, body and padding. The page goes in last, since only then is its body's
// checksum known: so the body is read once, which matters when it is a mapped file.
void AppendFilter(AtomicFile& out, const Filter& filter, const std::string& where) {
  FilterPage page = PageOf(filter, where);
  const uint64_t page_at = out.size();
  out.Append(kZeroPage);
  BodyHash hash;
  const std::span<const std::byte> body = filter.bytes();
  for (uint64_t done = 0; done < body.size(); done += kPiece) {
    const auto piece = body.subspan(done, std::min<uint64_t>(kPiece, body.size() - done));
    hash.Add(piece);
    out.Append(piece);
  }
  out.Append(std::span(kZeroPage).first(PaddedBytes(body.size()) - body.size()));
  page.body_checksum = hash.Value();
  out.WriteAt(page_at, Seal(page));
}

template <typename Family>
void SaveFamily(const Family& family, const std::string& path) {
  const RawPage first = Seal(PageOf(family, path));
  AtomicFile out(path);
  out.Append(first);
  for (const Filter& layer : family.layers()) AppendFilter(out, layer, path);
  out.Commit();
}

}  // namespace

void Save(const Filter& filter, const std::string& path) {
  AtomicFile out(path);
  AppendFilter(out, filter, path);
  out.Commit();
}

void Save(const ScalableFilter& filter, const std::string& path) { SaveFamily(filter, path); }
void Save(const WindowedFilter& filter, const std::string& path) { SaveFamily(filter, path); }

void Save(const AnyFilter& filter, const std::string& path) {
  std::visit([&](const auto& kind) { Save(kind, path); }, filter);
}

AnyFilter Load(const std::string& path, LoadMode mode, const Secret& secret) {
  const InputFile file(path);
  return LoadContents(file, ReadContents(file), mode, secret);
}

Filter LoadFilter(const std::string& path, LoadMode mode, const Secret& secret) {
  return LoadKind<Filter>(path, FileKind::kFilter, mode, secret);
}

ScalableFilter LoadScalable(const std::string& path, LoadMode mode, const Secret& secret) {
  return LoadKind<ScalableFilter>(path, FileKind::kScalable, mode, secret);
}

WindowedFilter LoadWindowed(const std::string& path, LoadMode mode, const Secret& secret) {
  return LoadKind<WindowedFilter>(path, FileKind::kWindowed, mode, secret);
}

void VerifyFile(const std::string& path) {
  const InputFile file(path);
  for (const Section& section : ReadContents(file).sections) ReadBody(file, section, nullptr);
}

}  // namespace tamis
