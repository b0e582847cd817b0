// The scalar backend: one key after the other, to be read as the specification. Every other kernel
// is held to these loops by tests/conformance_test.cc.

#include "tamis/answers.h"
#include "tamis/backend.h"
#include "tamis/bits.h"
#include "tamis/hash.h"

namespace tamis {

namespace {

uint64_t HashOf(const Keys& keys, uint64_t i, uint64_t seed) {
  return keys.kind() == Keys::Kind::kHashes ? keys.hashes()[i] : Xxh64(keys[i], seed);
}

Place PlaceOf(const Batch& batch, uint64_t i) {
  return Locate(HashOf(batch.keys, i, batch.spec.seed), static_cast<uint32_t>(batch.spec.blocks));
}

template <typename Word>
Word* BlockAt(const Batch& batch, uint32_t block) {
  return reinterpret_cast<Word*>(batch.bits) + uint64_t{block} * kBlockWords;
}

template <typename V>
void Insert(const Batch& batch, BlockRange owned) {
  using Word = typename V::Word;
  for (uint64_t i = 0; i < batch.keys.size(); ++i) {
    const Place at = PlaceOf(batch, i);
    if (owned.Has(at.block)) Mark(BlockAt<Word>(batch, at.block), at.low);
  }
}

template <typename V>
uint64_t InsertNew(const Batch& batch, BlockRange owned, uint8_t* answers) {
  using Word = typename V::Word;
  uint64_t count = 0;
  for (uint64_t i = 0; i < batch.keys.size(); ++i) {
    const Place at = PlaceOf(batch, i);
    const bool is_new = owned.Has(at.block) && Mark(BlockAt<Word>(batch, at.block), at.low);
    if (answers != nullptr) SetAnswer(answers, i, is_new);
    count += is_new ? 1 : 0;
  }
  return count;
}

template <typename V>
uint64_t Contains(const Batch& batch, uint8_t* answers) {
  using Word = typename V::Word;
  uint64_t count = 0;
  for (uint64_t i = 0; i < batch.keys.size(); ++i) {
    const Place at = PlaceOf(batch, i);
    const bool present = Test(BlockAt<Word>(batch, at.block), at.low);
    if (answers != nullptr) SetAnswer(answers, i, present);
    count += present ? 1 : 0;
  }
  return count;
}

void Hash(const Spec& spec, const Keys& keys, uint64_t* hashes) {
  for (uint64_t i = 0; i < keys.size(); ++i) hashes[i] = HashOf(keys, i, spec.seed);
}

void Merge(std::byte* into, const std::byte* from, uint64_t bytes) {
  for (uint64_t i = 0; i < bytes; ++i) into[i] |= from[i];
}

template <typename V>
constexpr VariantKernels KernelsOf() {
  return {.insert = Insert<V>, .insert_new = InsertNew<V>, .contains = Contains<V>};
}

constexpr Kernels kScalar = {
    .target = "scalar",
    .hash = Hash,
    .merge = Merge,
    .variants = {KernelsOf<SplitBlock>(), KernelsOf<SplitBlock512>()},
};

class Scalar final : public Backend {
 public:
  std::string_view name() const override { return "scalar"; }
  std::span<const Kernels> kernels() const override { return {&kScalar, 1}; }
  bool parallel() const override { return false; }
  std::unique_ptr<Executor> Open(const Kernels& kernels, int /*threads*/) const override {
    return OpenSerial(kernels);
  }
};

}  // namespace

const Backend& ScalarBackend() {
  static const Scalar backend;
  return backend;
}

}  // namespace tamis
