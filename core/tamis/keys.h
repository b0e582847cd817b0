// A view of a batch of keys in the caller's memory: nothing is copied, nothing is owned.
//
//   Fixed    width bytes a key, back to back, any alignment (U64 is width 8)
//   Strings  Arrow's layout: key i is bytes[offsets[i]] up to bytes[offsets[i + 1]], less a gap of
//            delimiter bytes that belong to no key (0, or 1 for lines of text)
//   Views    string_views, for what is scattered
//   Hashes   hashes made earlier with the filter's own scheme and seed, as many 64-bit words a key
//            as its Spec's hash_words()
#ifndef TAMIS_KEYS_H_
#define TAMIS_KEYS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "tamis/error.h"

namespace tamis {

class Keys {
 public:
  enum class Kind : uint8_t { kFixed, kStrings32, kStrings64, kViews, kHashes };

  /// Integers, hashed as their 8 little-endian bytes.
  static Keys U64(std::span<const uint64_t> keys) {
    return Keys(Kind::kFixed, keys.size(), keys.data(), nullptr, sizeof(uint64_t));
  }

  /// Keys of `width` bytes, back to back. Throws InvalidArgument unless `bytes` is whole keys.
  static Keys Fixed(std::span<const std::byte> bytes, uint32_t width) {
    if (width == 0 || bytes.size() % width != 0) {
      throw InvalidArgument("fixed-width keys: " + std::to_string(bytes.size()) +
                            " bytes are no whole number of keys of " + std::to_string(width));
    }
    return Keys(Kind::kFixed, bytes.size() / width, bytes.data(), nullptr, width);
  }

  /// n strings from n + 1 rising offsets into `bytes`; the last `gap` bytes of each belong to no
  /// key. The caller vouches that offsets never fall, reach at least `gap` further each time, and
  /// stay inside the memory behind `bytes`. No offsets at all is an empty batch.
  static Keys Strings(std::span<const uint32_t> offsets, const char* bytes, uint32_t gap = 0) {
    return Keys(Kind::kStrings32, CountOf(offsets.size()), offsets.data(), bytes, gap);
  }
  static Keys Strings(std::span<const uint64_t> offsets, const char* bytes, uint32_t gap = 0) {
    return Keys(Kind::kStrings64, CountOf(offsets.size()), offsets.data(), bytes, gap);
  }
  /// Arrow's own offset types; values are never negative there.
  static Keys Strings(std::span<const int32_t> offsets, const char* bytes) {
    return Keys(Kind::kStrings32, CountOf(offsets.size()), offsets.data(), bytes, 0);
  }
  static Keys Strings(std::span<const int64_t> offsets, const char* bytes) {
    return Keys(Kind::kStrings64, CountOf(offsets.size()), offsets.data(), bytes, 0);
  }

  static Keys Views(std::span<const std::string_view> views) {
    return Keys(Kind::kViews, views.size(), views.data(), nullptr, 0);
  }

  /// `words` words a key, back to back: what Engine::Hash gives.
  static Keys Hashes(std::span<const uint64_t> hashes, int words = 1) {
    const auto width = static_cast<uint32_t>(words) * uint32_t{sizeof(uint64_t)};
    return Keys(Kind::kHashes, hashes.size_bytes() / width, hashes.data(), nullptr, width);
  }

  Kind kind() const { return kind_; }
  uint64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  /// Bytes a key (kFixed, kHashes).
  uint32_t width() const { return width_or_gap_; }
  /// The bytes of all keys (kFixed), or where offsets point into (kStrings).
  const char* bytes() const {
    return kind_ == Kind::kFixed ? static_cast<const char*>(items_) : bytes_;
  }
  /// One item a key: its bytes (kFixed), an offset and one more at the end (kStrings), a view or a
  /// hash.
  const void* items() const { return items_; }
  /// Bytes at the end of each that belong to no key (kStrings).
  uint32_t gap() const { return width_or_gap_; }
  /// Words of ready hashes (kHashes): width() / 8 a key.
  const uint64_t* hashes() const { return static_cast<const uint64_t*>(items_); }

  /// The bytes of key i, for every kind but kHashes.
  std::string_view operator[](uint64_t i) const {
    switch (kind_) {
      case Kind::kFixed:
        return {static_cast<const char*>(items_) + i * width_or_gap_, width_or_gap_};
      case Kind::kStrings32:
        return Between(static_cast<const uint32_t*>(items_), i);
      case Kind::kStrings64:
        return Between(static_cast<const uint64_t*>(items_), i);
      case Kind::kViews:
        return static_cast<const std::string_view*>(items_)[i];
      case Kind::kHashes:
        break;
    }
    return {};
  }

  /// Keys first to first + count - 1, which must exist.
  Keys Slice(uint64_t first, uint64_t count) const {
    Keys part = *this;
    part.items_ = static_cast<const char*>(items_) + first * ItemBytes();
    part.size_ = count;
    return part;
  }

 private:
  Keys(Kind kind, uint64_t size, const void* items, const char* bytes, uint32_t width_or_gap)
      : items_(items), bytes_(bytes), size_(size), width_or_gap_(width_or_gap), kind_(kind) {}

  static uint64_t CountOf(size_t offsets) { return offsets == 0 ? 0 : offsets - 1; }

  template <typename Offset>
  std::string_view Between(const Offset* offsets, uint64_t i) const {
    return {bytes_ + offsets[i], static_cast<size_t>(offsets[i + 1] - offsets[i]) - width_or_gap_};
  }

  uint64_t ItemBytes() const {
    switch (kind_) {
      case Kind::kFixed:
      case Kind::kHashes:
        return width_or_gap_;
      case Kind::kStrings32:
        return sizeof(uint32_t);
      case Kind::kViews:
        return sizeof(std::string_view);
      case Kind::kStrings64:
        break;
    }
    return sizeof(uint64_t);
  }

  const void* items_;  // keys, offsets, views or hashes: one item a key
  const char* bytes_;
  uint64_t size_;
  uint32_t width_or_gap_;
  Kind kind_;
};

}  // namespace tamis

#endif  // TAMIS_KEYS_H_
