// RedisBloom's filters, as BF.SCANDUMP gives them, in one file (tools/redis-bloom makes it):
//
//   8 bytes    89 42 46 64 75 6d 70 0a
//   chunks     i64 iterator, u64 length, the chunk's bytes; all little-endian, to the file's end
//
// The first chunk, iterator 1, is packed and little-endian: u64 size (keys in), u32 layers, u32
// options, u32 growth; for each layer u64 bytes, u64 bits, u64 size, f64 error, f64 bits per key,
// u32 k, u64 capacity, u8 n2. Then the layers' bytes, at most 16 MiB a chunk, none across two
// layers; a chunk's iterator is 1 more than the bytes up to its end.
//
// Options: 1 no rounding to powers of two, 4 hashes of 64 bits (both always set by servers since
// 2.0, and wanted here), 8 no growing. A filter that grows has the layers of a ScalableFilter.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "checker.h"
#include "formats/body.h"
#include "formats/format.h"
#include "tamis/error.h"

namespace tamis {

namespace {

constexpr std::string_view kMagic =
    "\x89"
    "BFdump\n";
constexpr std::string_view kName = "redis";
constexpr uint64_t kChunk = uint64_t{16} << 20;
constexpr uint64_t kFrame = 16;
constexpr uint32_t kGrows = 1 | 4;
constexpr uint32_t kFixed = kGrows | 8;
constexpr uint32_t kFixedGrowth = 2;  // what the server writes where it means nothing

#pragma pack(push, 1)
struct ChainHeader {
  uint64_t size;
  uint32_t layers;
  uint32_t options;
  uint32_t growth;
};
struct Layer {
  uint64_t bytes;
  uint64_t bits;
  uint64_t size;
  double error;
  double bits_per_key;
  uint32_t k;
  uint64_t capacity;
  uint8_t n2;
};
#pragma pack(pop)
static_assert(sizeof(ChainHeader) == 20 && sizeof(Layer) == 53);

double BitsPerKey(double error) { return -std::log(error) / 0.480453013918201; }

PlanOptions Options(uint64_t growth) {
  return {.variant = Variant::kClassic,
          .hash = HashScheme::kRedisMurmur2,
          .probe = ProbeScheme::kRedisDouble,
          .growth = growth};
}

Plan PlanOf(const Layer& layer, const std::string& where) {
  const Checker check(where);
  check(layer.error > 0 && layer.error < 1, "error", layer.error, "more than 0, less than 1");
  check(layer.k >= 1 && layer.k <= Classic::kMaxK, "k", uint64_t{layer.k}, "1 to 64");
  check(layer.n2 == 0, "n2", uint64_t{layer.n2}, "0: sizes rounded to a power of two are not read");
  check(layer.bytes >= 8 && layer.bytes % 8 == 0 && layer.bytes <= kMaxClassicBits / 8, "bytes",
        uint64_t{layer.bytes}, "a positive multiple of 8");
  check(layer.bits == 8 * layer.bytes, "bits", uint64_t{layer.bits}, Text(8 * layer.bytes));
  check(layer.bits_per_key == BitsPerKey(layer.error), "bits per key", double{layer.bits_per_key},
        Text(BitsPerKey(layer.error)) + " for its error");
  return {.spec = {.variant = Variant::kClassic,
                   .hash = HashScheme::kRedisMurmur2,
                   .m = layer.bits,
                   .k = static_cast<int>(layer.k),
                   .probe = ProbeScheme::kRedisDouble},
          .capacity = layer.capacity,
          .fpr = layer.error};
}

// Goes over the chunks of a file, which must follow each other as the server cut them.
class Chunks {
 public:
  explicit Chunks(const InputFile& file) : file_(file) {}

  uint64_t left() const { return file_.size() - at_; }

  // The bytes of the next chunk, which must have that iterator and length.
  void Next(uint64_t iterator, std::span<std::byte> into) {
    const Checker check(file_.path());
    check(left() >= kFrame + into.size(), "file length", file_.size(),
          "at least " + Text(at_ + kFrame + into.size()));
    uint64_t frame[2] = {};
    file_.Read(at_, std::as_writable_bytes(std::span(frame)));
    check(frame[0] == iterator, "iterator", frame[0], Text(iterator));
    check(frame[1] == into.size(), "chunk length", frame[1], Text(uint64_t{into.size()}));
    file_.Read(at_ + kFrame, into);
    at_ += kFrame + into.size();
  }
  // The length that the next chunk claims, no more than is left.
  uint64_t NextLength() const {
    uint64_t length = 0;
    if (left() < kFrame) throw FileError(file_.path() + ": it ends before a chunk");
    file_.Read(at_ + 8, std::as_writable_bytes(std::span(&length, 1)));
    if (length > left() - kFrame) {
      throw FileError(file_.path() + ": chunk length " + Text(length) + ": the file has " +
                      Text(left() - kFrame) + " bytes more");
    }
    return length;
  }

 private:
  const InputFile& file_;
  uint64_t at_ = kMagic.size();
};

struct Chain {
  ChainHeader header;
  std::vector<Layer> layers;
};

Chain ReadHeader(Chunks& chunks, const std::string& where) {
  Chain chain;
  const Checker check(where);
  std::vector<std::byte> raw(chunks.NextLength());
  chunks.Next(1, raw);
  check(raw.size() >= sizeof chain.header, "header length", uint64_t{raw.size()}, "20 or more");
  std::memcpy(&chain.header, raw.data(), sizeof chain.header);
  const ChainHeader& header = chain.header;
  check(header.layers >= 1 && header.layers <= ScalableFilter::kMaxLayers, "layers",
        uint64_t{header.layers}, "1 to " + Text(uint64_t{ScalableFilter::kMaxLayers}));
  check(raw.size() == sizeof header + header.layers * sizeof(Layer), "header length",
        uint64_t{raw.size()}, Text(sizeof header + header.layers * sizeof(Layer)));
  check(header.options == kGrows || header.options == kFixed, "options", uint64_t{header.options},
        "5 (grows) or 13 (does not)");
  check(header.growth >= 1, "growth", uint64_t{header.growth}, "1 or more");
  chain.layers.resize(header.layers);
  std::memcpy(chain.layers.data(), raw.data() + sizeof header, header.layers * sizeof(Layer));
  return chain;
}

std::vector<Filter> ReadLayers(Chunks& chunks, const Chain& chain, const std::string& where) {
  const Checker check(where);
  std::vector<Plan> plans;
  plans.reserve(chain.layers.size());
  uint64_t keys = 0;
  uint64_t left = chunks.left();
  for (const Layer& layer : chain.layers) {
    plans.push_back(PlanOf(layer, where));
    check(layer.bytes <= left, "bytes", uint64_t{layer.bytes},
          "at most the " + Text(left) + " that are left");
    left -= layer.bytes;
    keys += layer.size;
  }
  check(keys == chain.header.size, "size", uint64_t{chain.header.size},
        Text(keys) + ", the layers' sum");
  std::vector<Filter> filters;
  uint64_t iterator = 1;
  for (size_t i = 0; i < plans.size(); ++i) {
    filters.push_back(EmptyFilter(plans[i], where));
    const std::span<std::byte> into(filters.back().mutable_data(), plans[i].spec.bytes());
    for (uint64_t done = 0; done < into.size(); done += kChunk) {
      const auto piece = into.subspan(done, std::min<uint64_t>(kChunk, into.size() - done));
      iterator += piece.size();
      chunks.Next(iterator, piece);
    }
    filters.back().AddInserted(chain.layers[i].size);
  }
  check(chunks.left() == 0, "bytes after the last chunk", chunks.left(), "none");
  return filters;
}

FilterFile Read(const InputFile& file, LoadMode /*mode*/) {
  const std::string& where = file.path();
  if (!Head(file).Begins(kMagic)) throw FileError(where + ": no dump of a Redis Bloom filter");
  Chunks chunks(file);
  const Chain chain = ReadHeader(chunks, where);
  const Layer& first = chain.layers.front();
  std::vector<Filter> layers = ReadLayers(chunks, chain, where);
  if (chain.header.options == kFixed) {
    const Checker check(where);
    check(layers.size() == 1, "layers", uint64_t{layers.size()}, "1 where it does not grow");
    check(chain.header.growth == kFixedGrowth, "growth", uint64_t{chain.header.growth},
          "2 where it does not grow");
    return {.filter = std::move(layers.front())};
  }
  try {
    return {.filter = ScalableFilter(first.capacity, 2 * first.error, Options(chain.header.growth),
                                     std::move(layers))};
  } catch (const InvalidArgument& error) {
    throw FileError(where + ": " + error.what());
  }
}

Layer LayerOf(const Filter& filter) {
  const Plan& plan = filter.plan();
  const Spec& spec = plan.spec;
  RequireHolds(spec.hash == HashScheme::kRedisMurmur2 && spec.probe == ProbeScheme::kRedisDouble &&
                   spec.m % 64 == 0 && plan.fpr > 0 && plan.fpr < 1,
               spec, kName,
               "classic filters by redis_murmur2 and redis_double, of whole words, with a rate");
  return {.bytes = spec.bytes(),
          .bits = spec.m,
          .size = filter.inserted(),
          .error = plan.fpr,
          .bits_per_key = BitsPerKey(plan.fpr),
          .k = static_cast<uint32_t>(spec.k),
          .capacity = plan.capacity,
          .n2 = 0};
}

void AppendChunk(AtomicFile& out, uint64_t iterator, std::span<const std::byte> bytes) {
  const uint64_t frame[2] = {iterator, bytes.size()};
  out.Append(std::as_bytes(std::span(frame)));
  out.Append(bytes);
}

void WriteChain(std::span<const Filter> filters, uint32_t options, uint64_t growth,
                const std::string& path) {
  ChainHeader header{.size = 0,
                     .layers = static_cast<uint32_t>(filters.size()),
                     .options = options,
                     .growth = static_cast<uint32_t>(growth)};
  std::vector<Layer> layers;
  for (const Filter& filter : filters) {
    layers.push_back(LayerOf(filter));
    header.size += filter.inserted();
  }
  std::vector<std::byte> raw(sizeof header + layers.size() * sizeof(Layer));
  std::memcpy(raw.data(), &header, sizeof header);
  std::memcpy(raw.data() + sizeof header, layers.data(), layers.size() * sizeof(Layer));
  AtomicFile out(path);
  out.Append(kMagic);
  AppendChunk(out, 1, raw);
  uint64_t iterator = 1;
  for (const Filter& filter : filters) {
    const std::span<const std::byte> body = filter.bytes();
    for (uint64_t done = 0; done < body.size(); done += kChunk) {
      const auto piece = body.subspan(done, std::min<uint64_t>(kChunk, body.size() - done));
      iterator += piece.size();
      AppendChunk(out, iterator, piece);
    }
  }
  out.Commit();
}

void Write(const FilterFile& file, const std::string& path) {
  if (const auto* growing = std::get_if<ScalableFilter>(&file.filter)) {
    const uint64_t growth = growing->options().growth;
    if (growth > UINT32_MAX) throw InvalidArgument("redis holds growth of 32 bits");
    return WriteChain(growing->layers(), kGrows, growth, path);
  }
  WriteChain({&SingleFilter(file, kName), 1}, kFixed, kFixedGrowth, path);
}

bool Recognises(const Head& head) { return head.Begins(kMagic); }

Plan PlanFixed(uint64_t keys, double fpr, uint64_t seed) {
  RequireNoSeed(seed, kName);
  return PlanFor(keys, fpr, Options(kFixedGrowth));
}

}  // namespace

const Format& RedisFormat() {
  static constexpr Format kFormat = {
      .name = kName,
      .about = "RedisBloom's BF.SCANDUMP in a file, which tools/redis-bloom makes and loads",
      .says = {.keys = true, .plan = true, .layers = true},
      .recognises = Recognises,
      .read = Read,
      .write = Write,
      .plan = PlanFixed,
  };
  return kFormat;
}

}  // namespace tamis
