// keys -> hash -> locate, many at a time: fills a queue with the places of a stage of keys.
//
// A source gives the hashes of the keys from an index on, one vector at a time; AppendFrom() turns
// two such vectors into one of blocks and one of low halves, as 32-bit arrays. With a range of
// owned blocks it keeps only those places (vector compress) and writes one bit a key: owned or not.

#if defined(TAMIS_SIMD_PLACES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TAMIS_SIMD_PLACES_INL_H_
#undef TAMIS_SIMD_PLACES_INL_H_
#else
#define TAMIS_SIMD_PLACES_INL_H_
#endif

#include <cstring>

#include "hwy/highway.h"
#include "simd/string_hash.h"
#include "simd/xxh64-inl.h"
#include "tamis/backend.h"

HWY_BEFORE_NAMESPACE();
namespace tamis::simd::HWY_NAMESPACE {

// Keys hashed in one go where the filter is in cache: few enough that the places stay in the first
// cache level, many enough that they are read long after they were written (reading a vector back
// in pieces at once stalls).
constexpr size_t kStage = 1024;
// The same where blocks are prefetched: so few that the memory is never idle while they are hashed.
constexpr size_t kShortStage = 128;
// Keys between the prefetch of a block and its use.
constexpr size_t kLead = 128;

// Places in the order of their keys: appended at the end, taken from the front.
class Queue {
 public:
  size_t size() const { return end_ - front_; }
  const uint32_t* blocks() const { return block_ + front_; }
  const uint32_t* lows() const { return low_ + front_; }

  // Room for a stage of keys, and whole vectors at its end. Short stages are kept to a small part
  // of the queue, which leaves the first cache level to the blocks that are under way.
  void Reserve(size_t count) {
    const size_t room = count <= kShortStage ? kShortRoom : kRoom;
    if (end_ + count + kSlack <= room) return;
    std::memmove(block_, blocks(), size() * sizeof(uint32_t));
    std::memmove(low_, lows(), size() * sizeof(uint32_t));
    end_ -= front_;
    front_ = 0;
  }
  uint32_t* NextBlock() { return block_ + end_; }
  uint32_t* NextLow() { return low_ + end_; }
  void Push(size_t count) { end_ += count; }
  void Pop(size_t count) { front_ += count; }

 private:
  static constexpr size_t kSlack = 16;
  static constexpr size_t kRoom = 2 * kStage + kLead + 64 + kSlack;
  static constexpr size_t kShortRoom = 4 * kShortStage + kLead + 64 + kSlack;
  HWY_ALIGN uint32_t block_[kRoom];
  HWY_ALIGN uint32_t low_[kRoom];
  size_t front_ = 0;
  size_t end_ = 0;
};

// Ready hashes, or 8-byte keys, from memory of any alignment.
struct HashSource {
  const char* at;
  HWY_INLINE V64 At(size_t i) const { return hn::LoadU(U64(), Words() + i); }
  HWY_INLINE const uint64_t* Words() const { return reinterpret_cast<const uint64_t*>(at); }
};
struct Key8Source {
  HashSource keys;
  uint64_t seed;
  HWY_INLINE V64 At(size_t i) const { return Xxh64Of8(keys.At(i), seed); }
};

// Fixed-width keys into an array of hashes; the few at the end one by one.
inline void HashFixed(const Keys& keys, uint64_t seed, uint64_t* hashes) {
  const U64 d;
  const hn::RebindToSigned<U64> di;
  const size_t lanes = hn::Lanes(d);
  const uint32_t width = keys.width();
  size_t i = 0;
  if (width == 8) {
    const Key8Source source{{keys.bytes()}, seed};
    for (; i + lanes <= keys.size(); i += lanes) hn::StoreU(source.At(i), d, hashes + i);
  } else if (width == 4) {
    const hn::Rebind<uint32_t, U64> d4;
    for (; i + lanes <= keys.size(); i += lanes) {
      const auto* at = reinterpret_cast<const uint32_t*>(keys.bytes() + 4 * i);
      hn::StoreU(Xxh64Of4(hn::PromoteTo(d, hn::LoadU(d4, at)), seed), d, hashes + i);
    }
  } else if (width >= 8 && width < (uint32_t{1} << 28)) {
    const auto offsets = hn::Iota(di, 0) * hn::Set(di, width);
    for (; i + lanes <= keys.size(); i += lanes) {
      const char* at = keys.bytes() + i * uint64_t{width};
      hn::StoreU(Xxh64OfWidth(at, offsets, width, seed), d, hashes + i);
    }
  }
  HashStrings(keys.Slice(i, keys.size() - i), seed, hashes + i);
}

// Hashes of all keys, whatever their kind.
inline void HashKeys(const Keys& keys, uint64_t seed, uint64_t* hashes) {
  if (keys.kind() == Keys::Kind::kHashes) {
    std::memcpy(hashes, keys.hashes(), keys.size() * sizeof(uint64_t));
  } else if (keys.kind() == Keys::Kind::kFixed) {
    HashFixed(keys, seed, hashes);
  } else {
    HashStrings(keys, seed, hashes);
  }
}

// Bits of a mask over up to 16 lanes.
template <class D, class M>
HWY_INLINE uint32_t MaskBits(D d, M mask) {
  uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  return bytes[0] | (uint32_t{bytes[1]} << 8);
}

template <bool kOwned>
struct Appender {
  uint32_t blocks;
  uint32_t first_owned;  // of kOwned
  uint32_t owned_count;

  // Appends the places of `count` keys (at most the lanes of two vectors) with these hashes.
  // kOwned: only of owned blocks; returns a bit for each key, set if owned.
  HWY_INLINE uint32_t Append(V64 hash0, V64 hash1, size_t count, Queue& queue) const {
    const U32 d32;
    const auto z = hn::Set(d32, blocks);
    const auto high0 = hn::BitCast(d32, hn::ShiftRight<32>(hash0));
    const auto high1 = hn::BitCast(d32, hn::ShiftRight<32>(hash1));
    const auto block = hn::ConcatOdd(d32, hn::BitCast(d32, hn::MulEven(high1, z)),
                                     hn::BitCast(d32, hn::MulEven(high0, z)));
    const auto low = hn::ConcatEven(d32, hn::BitCast(d32, hash1), hn::BitCast(d32, hash0));
    if constexpr (kOwned) {
      const auto owned =
          hn::And(hn::Lt(hn::Sub(block, hn::Set(d32, first_owned)), hn::Set(d32, owned_count)),
                  hn::FirstN(d32, count));
      // Compress, then a plain store: compressing into memory is microcode on some processors.
      hn::StoreU(hn::Compress(block, owned), d32, queue.NextBlock());
      hn::StoreU(hn::Compress(low, owned), d32, queue.NextLow());
      queue.Push(hn::CountTrue(d32, owned));
      return MaskBits(d32, owned);
    } else {
      hn::StoreU(block, d32, queue.NextBlock());
      hn::StoreU(low, d32, queue.NextLow());
      queue.Push(count);
      return 0;
    }
  }

  // Appends `count` keys (at most kStage). kOwned: bit i of `owned_bits` (whole 64-bit words, may
  // be null) tells whether key i is owned.
  template <class Source>
  HWY_INLINE void AppendFrom(const Source& source, size_t count, Queue& queue,
                             uint64_t* owned_bits) const {
    const size_t lanes = hn::Lanes(U64());
    size_t i = 0;
    if constexpr (kOwned) {
      uint64_t word = 0;
      for (; i < count; i += 2 * lanes) {
        const size_t left = HWY_MIN(count - i, 2 * lanes);
        const uint64_t bits = Append(source.At(i), source.At(i + lanes), left, queue);
        word |= bits << (i % 64);
        if (owned_bits != nullptr && ((i + 2 * lanes) % 64 == 0 || i + 2 * lanes >= count)) {
          owned_bits[i / 64] = word;
          word = 0;
        }
      }
    } else {
      for (; i < count; i += 2 * lanes) {
        Append(source.At(i), source.At(i + lanes), HWY_MIN(count - i, 2 * lanes), queue);
      }
    }
  }
};

// Appends the places of keys `first` to `first + count - 1`.
template <bool kOwned>
void AppendPlaces(const Batch& batch, uint64_t first, size_t count, BlockRange owned, Queue& queue,
                  uint64_t* owned_bits) {
  queue.Reserve(count);
  const Appender<kOwned> appender{static_cast<uint32_t>(batch.spec.blocks),
                                  static_cast<uint32_t>(owned.first),
                                  static_cast<uint32_t>(owned.end - owned.first)};
  const size_t whole = count / 16 * 16;
  const Keys keys = batch.keys.Slice(first, count);
  const uint64_t seed = batch.spec.seed;
  const bool is_key8 = keys.kind() == Keys::Kind::kFixed && keys.width() == 8;
  if (whole == count && is_key8) {
    appender.AppendFrom(Key8Source{{keys.bytes()}, seed}, count, queue, owned_bits);
  } else if (whole == count && keys.kind() == Keys::Kind::kHashes) {
    const HashSource source{reinterpret_cast<const char*>(keys.hashes())};
    appender.AppendFrom(source, count, queue, owned_bits);
  } else {
    // Hash into an array whose end may be read past.
    HWY_ALIGN uint64_t hashes[kStage + 16];
    HashKeys(keys, seed, hashes);
    std::memset(hashes + count, 0, 16 * sizeof(uint64_t));
    const HashSource source{reinterpret_cast<const char*>(hashes)};
    appender.AppendFrom(source, count, queue, owned_bits);
  }
}

}  // namespace tamis::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TAMIS_SIMD_PLACES_INL_H_
