#include "file_page.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

#include "checker.h"
#include "tamis/error.h"
#include "tamis/hash.h"
#include "tamis/schemes.h"

namespace tamis {

uint64_t ChecksumOf(const RawPage& raw) {
  return Xxh64({reinterpret_cast<const char*>(raw.data()), raw.size() - sizeof(uint64_t)}, 0);
}

uint64_t CheckOf(const Secret& secret) { return secret == Secret{} ? 0 : secret.Check(); }

namespace {

std::string KnownVariants() {
  std::string text;
  for (const Variant variant : AllVariants()) {
    if (!text.empty()) text += " or ";
    text += Text(static_cast<uint64_t>(variant)) + " (" + std::string(NameOf(variant)) + ")";
  }
  return text;
}

std::string KnownHashes() {
  std::string text;
  HashSchemes::ForEach([&]<class H>(H) {
    if (!text.empty()) text += " or ";
    text += Text(uint64_t{H::kId}) + " (" + std::string(H::kName) + ")";
  });
  return text;
}

static_assert(ScalableFilter::kTighten == 0.5, "CheckLayer counts on it");

void CheckStart(const PageStart& start, FileKind kind, const std::string& where) {
  const Checker check(where);
  check(start.kind == static_cast<uint32_t>(kind), "kind", uint64_t{start.kind}, NameOf(kind));
  check(start.variant >= 1 && start.variant <= kVariantCount, "variant", uint64_t{start.variant},
        KnownVariants());
  const bool known = HashSchemes::Visit(start.hash, []<class H>(H) {});
  check(known, "hash scheme", uint64_t{start.hash}, KnownHashes());
}

// Whether a page has a secret's check value just if its hash is keyed.
void CheckKeyed(const PageStart& start, uint64_t secret_check, const std::string& where) {
  HashSchemes::Visit(start.hash, [&]<class H>(H) {
    const Checker check(where);
    check((secret_check != 0) == H::kKeyed, "check value of the secret key", secret_check,
          H::kKeyed ? "other than 0" : "0 for " + std::string(H::kName));
  });
}

template <size_t N>
void CheckZero(const std::array<std::byte, N>& zero, const std::string& where) {
  const auto* other =
      std::ranges::find_if(zero, [](std::byte byte) { return byte != std::byte{}; });
  if (other == zero.end()) return;
  const auto offset = kFilePage - sizeof(uint64_t) - static_cast<uint64_t>(zero.end() - other);
  Checker(where).Refuse("byte at " + Text(offset), Text(std::to_integer<uint64_t>(*other)),
                        "0 in the rest of a header page");
}

// What fields must be beside each other, such as a seed that its hash can take. The reader's secret
// is not known here; any will do.
void CheckSpec(const FilterPage& page, const std::string& where) {
  Spec spec = PlanOf(page).spec;
  if (page.secret_check != 0) spec.secret.words[0] = 1;
  try {
    Validate(spec);
  } catch (const InvalidArgument& error) {
    throw FileError(where + ": " + error.what());
  }
}

// Sizes of a blocked filter, or those of a classic one, whose block and probe scheme fields say so.
void CheckSize(const FilterPage& page, const std::string& where) {
  const Checker check(where);
  VisitVariant(static_cast<Variant>(page.start.variant), [&]<class V>(V) {
    const std::string name(V::kName);
    if constexpr (V::kBlocked) {
      constexpr uint64_t kBlockBytes = V::kWords * sizeof(typename V::Word);
      check(page.blocks >= 1 && page.blocks <= kMaxBlocks, "blocks", page.blocks,
            "1 to " + Text(kMaxBlocks));
      check(page.block_bytes == kBlockBytes, "block size", uint64_t{page.block_bytes},
            Text(kBlockBytes) + " bytes for " + name);
      check(page.m == 0, "m", page.m, "0 for " + name);
      check(page.probe == 0, "probe scheme", uint64_t{page.probe}, "0 for " + name);
    } else {
      check(page.blocks == 1, "blocks", page.blocks, "1 for " + name);
      check(page.block_bytes == 0, "block size", uint64_t{page.block_bytes}, "0 for " + name);
      check(page.m >= 1 && page.m <= kMaxClassicBits, "m", page.m, "1 to " + Text(kMaxClassicBits));
      const bool known = ProbeSchemes::Visit(page.probe, []<class P>(P) {});
      check(known, "probe scheme", uint64_t{page.probe}, "one that is known");
    }
    check(page.k >= V::kMinK && page.k <= V::kMaxK, "k", uint64_t{page.k},
          V::kMinK == V::kMaxK ? Text(uint64_t{V::kMinK})
                               : Text(uint64_t{V::kMinK}) + " to " + Text(uint64_t{V::kMaxK}));
  });
}

}  // namespace

void Check(const FilterPage& page, const std::string& where) {
  CheckStart(page.start, FileKind::kFilter, where);
  CheckSize(page, where);
  const Checker check(where);
  const Spec spec = PlanOf(page).spec;
  check(page.body_bytes == spec.bytes(), "body length", page.body_bytes,
        Text(spec.bytes()) + (spec.classic() ? ", m bits in whole words of 8 bytes"
                                             : ", that is blocks times block size"));
  check(page.fpr >= 0 && page.fpr <= 1, "target rate", page.fpr, "0 to 1");
  check(page.gap == 0, "bytes at 100", uint64_t{page.gap}, "0");
  CheckKeyed(page.start, page.secret_check, where);
  CheckZero(page.zero, where);
  CheckSpec(page, where);
}

namespace {

// What the first pages of families have alike: how layers are to be made.
template <typename Page>
void CheckFamily(const Page& page, FileKind kind, const std::string& where) {
  CheckStart(page.start, kind, where);
  const Checker check(where);
  check(page.fpr > 0 && page.fpr < 1, "target rate", page.fpr, "more than 0, less than 1");
  check(page.interop <= 1, "interop", uint64_t{page.interop}, "0 or 1");
  check(page.k <= Classic::kMaxK, "k", uint64_t{page.k}, "0 to " + Text(uint64_t{Classic::kMaxK}));
  CheckKeyed(page.start, page.secret_check, where);
  CheckZero(page.zero, where);
}

}  // namespace

void Check(const ScalablePage& page, const std::string& where) {
  CheckFamily(page, FileKind::kScalable, where);
  const Checker check(where);
  check(page.first_capacity >= 1, "first capacity", page.first_capacity, "1 or more");
  check(page.tighten == ScalableFilter::kTighten, "tightening ratio", page.tighten,
        Text(ScalableFilter::kTighten));
  check(page.growth >= 1 && page.growth <= ScalableFilter::kMaxGrowth, "growth", page.growth,
        "1 to " + Text(ScalableFilter::kMaxGrowth));
  check(page.layers >= 1 && page.layers <= ScalableFilter::kMaxLayers, "layers",
        uint64_t{page.layers}, "1 to " + Text(uint64_t{ScalableFilter::kMaxLayers}));
}

void Check(const WindowedPage& page, const std::string& where) {
  CheckFamily(page, FileKind::kWindowed, where);
  const Checker check(where);
  check(page.period <= Window::kMaxSeconds, "period", page.period,
        "0 to " + Text(Window::kMaxSeconds));
  check(page.capacity >= 1 && page.capacity <= Window::kMaxKeys, "capacity", page.capacity,
        "1 to " + Text(Window::kMaxKeys));
  check(page.generations >= 1 && page.generations <= Window::kMaxGenerations, "generations",
        uint64_t{page.generations}, "1 to " + Text(uint64_t{Window::kMaxGenerations}));
  check(page.layers <= page.generations, "layers", uint64_t{page.layers},
        "no more than " + Text(uint64_t{page.generations}) + " generations");
  check(page.gap == 0, "bytes at 84", uint64_t{page.gap}, "0");
  const uint64_t last = WindowOf(page).LastNumber();
  check(page.current <= last, "current generation", page.current, "0 to " + Text(last));
  const uint64_t span = page.generations - 1;
  uint64_t least = page.current < span ? 0 : page.current - span;
  for (size_t i = 0; i < page.numbers.size(); ++i) {
    const uint64_t number = page.numbers[i];
    const std::string field = "number of layer " + Text(uint64_t{i});
    if (i >= page.layers) {
      check(number == 0, field, number, "0, since there is none");
      continue;
    }
    check(number >= least && number <= page.current, field, number,
          Text(least) + " to " + Text(page.current));
    least = number + 1;
  }
}

namespace {

template <typename Page>
PlanOptions FamilyOptions(const Page& page, const Secret& secret) {
  return {.variant = static_cast<Variant>(page.start.variant),
          .seed = page.start.seed,
          .interop = page.interop != 0,
          .hash = static_cast<HashScheme>(page.start.hash),
          .k = static_cast<int>(page.k),
          .secret = page.secret_check == 0 ? Secret{} : secret,
          .probe = static_cast<ProbeScheme>(page.probe)};
}

template <typename Page>
Page ParsePage(const RawPage& raw, const std::string& where) {
  ParseKind(raw, where);
  const auto page = std::bit_cast<Page>(raw);
  Check(page, where);
  return page;
}

}  // namespace

std::string_view NameOf(FileKind kind) {
  switch (kind) {
    case FileKind::kFilter:
      return "1 (one filter)";
    case FileKind::kScalable:
      return "2 (scalable filter)";
    case FileKind::kWindowed:
      break;
  }
  return "3 (windowed filter)";
}

FileKind ParseKind(const RawPage& raw, const std::string& where) {
  const auto page = std::bit_cast<FilterPage>(raw);  // every kind's start and checksum lie alike
  if (page.start.magic != kMagic) {
    throw FileError(where + ": no tamis header: it begins with " + Hex(page.start.magic) +
                    ", expected " + Hex(kMagic));
  }
  const Checker check(where);
  check(page.start.version == kFileVersion, "version", uint64_t{page.start.version},
        Text(uint64_t{kFileVersion}) + ", the only one known here");
  if (page.checksum != ChecksumOf(raw)) {
    check.Refuse("header checksum", Hex(page.checksum), Hex(ChecksumOf(raw)) + ": damaged");
  }
  constexpr auto kLast = static_cast<uint32_t>(FileKind::kWindowed);
  if (page.start.kind < 1 || page.start.kind > kLast) {
    std::string known;
    for (uint32_t kind = 1; kind <= kLast; ++kind) {
      known += (kind == 1 ? "" : " or ") + std::string(NameOf(static_cast<FileKind>(kind)));
    }
    check.Refuse("kind", Text(uint64_t{page.start.kind}), known);
  }
  return static_cast<FileKind>(page.start.kind);
}

FilterPage ParseFilterPage(const RawPage& raw, const std::string& where) {
  return ParsePage<FilterPage>(raw, where);
}
ScalablePage ParseScalablePage(const RawPage& raw, const std::string& where) {
  return ParsePage<ScalablePage>(raw, where);
}
WindowedPage ParseWindowedPage(const RawPage& raw, const std::string& where) {
  return ParsePage<WindowedPage>(raw, where);
}

namespace {

// What every layer takes from its family, and what this one is planned for.
template <typename Page>
void CheckLayerOf(const FilterPage& layer, const Page& family, uint64_t capacity, double fpr,
                  const std::string& where) {
  const Checker check(where);
  check(layer.start.variant == family.start.variant, "variant", uint64_t{layer.start.variant},
        "the family's, " + Text(uint64_t{family.start.variant}));
  check(layer.start.hash == family.start.hash, "hash scheme", uint64_t{layer.start.hash},
        "the family's, " + Text(uint64_t{family.start.hash}));
  check(layer.secret_check == family.secret_check, "check value of the secret key",
        layer.secret_check, "the family's, " + Text(family.secret_check));
  check(family.k == 0 || layer.k == family.k, "k", uint64_t{layer.k},
        "the family's, " + Text(uint64_t{family.k}));
  check(layer.start.seed == family.start.seed, "seed", layer.start.seed,
        "the family's, " + Text(family.start.seed));
  check(layer.capacity == capacity, "capacity", layer.capacity, Text(capacity));
  check(layer.fpr == fpr, "target rate", layer.fpr, Text(fpr));
}

}  // namespace

void CheckLayer(const FilterPage& layer, const ScalablePage& family, uint32_t i,
                const std::string& where) {
  const Checker check(where);
  uint64_t capacity = family.first_capacity;
  for (uint32_t j = 0; j < i; ++j) {
    check(capacity <= UINT64_MAX / family.growth, "first capacity", family.first_capacity,
          "less than comes to 2^64 with a layer " + Text(uint64_t{i}));
    capacity *= family.growth;
  }
  const double fpr = std::ldexp(family.fpr, -static_cast<int>(i) - 1);  // kTighten is 1/2
  CheckLayerOf(layer, family, capacity, fpr, where);
}

void CheckLayer(const FilterPage& layer, const WindowedPage& family, uint32_t /*i*/,
                const std::string& where) {
  CheckLayerOf(layer, family, family.capacity, family.fpr / family.generations, where);
}

void CheckSecret(const FilterPage& page, const Secret& secret, const std::string& where) {
  if (page.secret_check == CheckOf(secret) || page.secret_check == 0) return;
  const std::string hash(NameOf(static_cast<HashScheme>(page.start.hash)));
  throw FileError(where + ": its hash, " + hash +
                  (secret == Secret{} ? ", takes a secret key, and none was given"
                                      : ", took another secret key than was given"));
}

Plan PlanOf(const FilterPage& page, const Secret& secret) {
  return {.spec = {.variant = static_cast<Variant>(page.start.variant),
                   .hash = static_cast<HashScheme>(page.start.hash),
                   .seed = page.start.seed,
                   .blocks = page.blocks,
                   .m = page.m,
                   .k = static_cast<int>(page.k),
                   .probe = static_cast<ProbeScheme>(page.probe),
                   .secret = page.secret_check == 0 ? Secret{} : secret},
          .capacity = page.capacity,
          .fpr = page.fpr};
}

PlanOptions OptionsOf(const ScalablePage& page, const Secret& secret) {
  PlanOptions options = FamilyOptions(page, secret);
  options.growth = page.growth;
  return options;
}

PlanOptions OptionsOf(const WindowedPage& page, const Secret& secret) {
  return FamilyOptions(page, secret);
}

Window WindowOf(const WindowedPage& page) {
  return {.period = page.period, .capacity = page.capacity, .generations = page.generations};
}

}  // namespace tamis
