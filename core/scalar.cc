// The scalar backend: one key after the other, to be read as the specification. Every other kernel
// is held to these loops by tests/conformance_test.cc.

#include <algorithm>

#include "tamis/answers.h"
#include "tamis/backend.h"
#include "tamis/schemes.h"

namespace tamis {

namespace {

KeyHash HashOfKey(const Spec& spec, const Keys& keys, uint64_t i) {
  if (keys.kind() != Keys::Kind::kHashes) return HashOf(spec, keys[i]);
  KeyHash hash;
  const auto words = static_cast<size_t>(spec.hash_words());
  std::copy_n(keys.hashes() + i * words, words, hash.words);
  return hash;
}

// Key i's place in a blocked filter.
Place PlaceOf(const Batch& batch, uint64_t i) {
  return Locate(HashOfKey(batch.spec, batch.keys, i).words[0],
                static_cast<uint32_t>(batch.spec.blocks));
}

template <typename V>
typename V::Word* BlockAt(const Batch& batch, uint32_t block) {
  return reinterpret_cast<typename V::Word*>(batch.bits) + uint64_t{block} * V::kWords;
}

// Sets key i's bits as far as they are owned; returns whether one was clear.
template <typename V>
bool MarkOwned(const Batch& batch, BlockRange owned, uint64_t i) {
  const Place at = PlaceOf(batch, i);
  return owned.Has(at.block) && V::Mark(BlockAt<V>(batch, at.block), at.low, batch.spec.k);
}
template <typename V>
bool TestKey(const Batch& batch, uint64_t i) {
  const Place at = PlaceOf(batch, i);
  return V::Test(BlockAt<V>(batch, at.block), at.low, batch.spec.k);
}

// A classic filter's bits, wherever they lie.
template <>
bool MarkOwned<Classic>(const Batch& batch, BlockRange owned, uint64_t i) {
  const KeyHash hash = HashOfKey(batch.spec, batch.keys, i);
  auto* words = reinterpret_cast<uint64_t*>(batch.bits);
  bool missing = false;
  VisitProbe(batch.spec.probe, [&]<class P>(P) {
    typename P::template Walk<uint64_t> walk(hash.words, BitRange(batch.spec.m));
    for (int j = 0; j < batch.spec.k; ++j) {
      const uint64_t bit = walk.Next();
      if (owned.Has(bit / kLineBits)) missing |= Classic::MarkBit(words, bit);
    }
  });
  return missing;
}
template <>
bool TestKey<Classic>(const Batch& batch, uint64_t i) {
  const KeyHash hash = HashOfKey(batch.spec, batch.keys, i);
  bool present = false;
  VisitProbe(batch.spec.probe, [&]<class P>(P) {
    const typename P::template Walk<uint64_t> walk(hash.words, BitRange(batch.spec.m));
    present = Classic::Test(reinterpret_cast<const uint64_t*>(batch.bits), walk, batch.spec.k);
  });
  return present;
}

template <typename V>
void Insert(const Batch& batch, BlockRange owned) {
  for (uint64_t i = 0; i < batch.keys.size(); ++i) MarkOwned<V>(batch, owned, i);
}

template <typename V>
uint64_t InsertNew(const Batch& batch, BlockRange owned, uint8_t* answers) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < batch.keys.size(); ++i) {
    const bool is_new = MarkOwned<V>(batch, owned, i);
    if (answers != nullptr) SetAnswer(answers, i, is_new);
    count += is_new ? 1 : 0;
  }
  return count;
}

template <typename V>
uint64_t Contains(const Batch& batch, uint8_t* answers) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < batch.keys.size(); ++i) {
    const bool present = TestKey<V>(batch, i);
    if (answers != nullptr) SetAnswer(answers, i, present);
    count += present ? 1 : 0;
  }
  return count;
}

void Hash(const Spec& spec, const Keys& keys, uint64_t* hashes) {
  const auto words = static_cast<size_t>(spec.hash_words());
  for (uint64_t i = 0; i < keys.size(); ++i) {
    std::copy_n(HashOfKey(spec, keys, i).words, words, hashes + i * words);
  }
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
    .variants = {KernelsOf<SplitBlock>(), KernelsOf<SplitBlock512>(), KernelsOf<Classic>(),
                 KernelsOf<CacheLine>(), KernelsOf<RegisterBlocked>()},
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
