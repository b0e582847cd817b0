// A funnel: how a value of the application becomes the bytes that are hashed, the same on every
// machine. Arithmetic is little-endian whatever the processor; what has a length says so first, so
// that {"ab", "c"} and {"a", "bc"} differ; fields come in the order in which they are written.
//
//   bool, integers, enums    as many bytes as they have, little-endian, two's complement
//   float, double            IEEE 754 bits; -0.0 as 0.0, every NaN as one and the same
//   strings, string_view     64-bit length, then the bytes
//   ranges                   64-bit number of elements, then each
//   arrays of fixed length   each element (std::array, T[n])
//   pair, tuple              each element
//   optional                 a byte, 0 or 1, then the value if there is one
//
// For a type of your own, write beside it, where argument-dependent look-up finds it,
//
//   void TamisFunnel(tamis::Funnel& funnel, const Page& page) {
//     funnel.Add(page.site).Add(page.path).Add(page.version);
//   }
//
// and everything that holds a Page works too. Types whose size differs between machines (long,
// size_t, wchar_t) are refused, by name, when compiled: convert them to one that does not.
//
//   tamis::Funneled<Page> keys;                 // owns the bytes of a batch
//   for (const Page& page : pages) keys.Add(page);
//   engine.InsertNew(seen, keys.keys(), answers);
//
// A lone string is not the same key as the string's own bytes: those are Keys::Views.
#ifndef TAMIS_FUNNEL_H_
#define TAMIS_FUNNEL_H_

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tamis/keys.h"

namespace tamis {

class Funnel;

/// Whether somebody wrote a TamisFunnel for T.
template <typename T>
concept HasFunnel = requires(Funnel& funnel, const T& value) {
  TamisFunnel(funnel, value);
};

namespace funnel_internal {

/// Integers of one size everywhere.
template <typename T>
concept FixedInteger = std::same_as<T, bool> || std::same_as<T, char> || std::same_as<T, char8_t> ||
    std::same_as<T, char16_t> || std::same_as<T, char32_t> || std::same_as<T, int8_t> ||
    std::same_as<T, int16_t> || std::same_as<T, int32_t> || std::same_as<T, int64_t> ||
    std::same_as<T, uint8_t> || std::same_as<T, uint16_t> || std::same_as<T, uint32_t> ||
    std::same_as<T, uint64_t>;

template <typename T>
concept Tuple = requires {
  std::tuple_size<T>::value;
};

template <typename>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <typename>
inline constexpr bool kNever = false;

}  // namespace funnel_internal

/// Appends values to bytes.
class Funnel {
 public:
  /// `bytes` must outlive the funnel; it is appended to.
  explicit Funnel(std::string& bytes) : bytes_(bytes) {}

  template <typename T>
  Funnel& Add(const T& value) {
    if constexpr (HasFunnel<T>) {
      TamisFunnel(*this, value);
    } else if constexpr (funnel_internal::FixedInteger<T>) {
      AddInteger(static_cast<uint64_t>(value), sizeof(T));
    } else if constexpr (std::is_enum_v<T>) {
      Add(static_cast<std::underlying_type_t<T>>(value));
    } else if constexpr (std::same_as<T, float> || std::same_as<T, double>) {
      AddFloat(value);
    } else if constexpr (std::convertible_to<const T&, std::string_view>) {
      const std::string_view text = value;
      AddInteger(text.size(), sizeof(uint64_t));
      AddBytes(text);
    } else if constexpr (funnel_internal::kIsOptional<T>) {
      Add(value.has_value());
      if (value.has_value()) Add(*value);
    } else if constexpr (std::is_bounded_array_v<T>) {
      for (const auto& element : value) Add(element);
    } else if constexpr (funnel_internal::Tuple<T>) {
      std::apply([&](const auto&... element) { (Add(element), ...); }, value);
    } else if constexpr (std::ranges::sized_range<const T>) {
      AddInteger(static_cast<uint64_t>(std::ranges::size(value)), sizeof(uint64_t));
      for (const auto& element : value) Add(element);
    } else {
      static_assert(funnel_internal::kNever<T>,
                    "this type has no funnel: write TamisFunnel(tamis::Funnel&, const T&) for it, "
                    "or convert it to a type of the same size everywhere");
    }
    return *this;
  }

  /// Bytes as they are, without a length.
  Funnel& AddBytes(std::string_view bytes) {
    bytes_.append(bytes);
    return *this;
  }

 private:
  void AddInteger(uint64_t value, size_t size) {
    for (size_t i = 0; i < size; ++i) bytes_ += static_cast<char>(value >> (8 * i));
  }

  template <typename T>
  void AddFloat(T value) {
    static_assert(std::numeric_limits<T>::is_iec559);
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    if (value == 0) value = 0;
    if (std::isnan(value)) value = std::numeric_limits<T>::quiet_NaN();
    Add(std::bit_cast<Bits>(value));
  }

  std::string& bytes_;
};

/// The canonical bytes of one value.
template <typename T>
std::string FunnelBytes(const T& value) {
  std::string bytes;
  Funnel(bytes).Add(value);
  return bytes;
}

/// A batch of values of type T as keys.
template <typename T>
class Funneled {
 public:
  void Add(const T& value) {
    Funnel(bytes_).Add(value);
    offsets_.push_back(bytes_.size());
  }
  void Clear() {
    bytes_.clear();
    offsets_.resize(1);
  }
  uint64_t size() const { return offsets_.size() - 1; }
  /// Valid until the next Add or Clear.
  Keys keys() const { return Keys::Strings(offsets_, bytes_.data()); }

 private:
  std::string bytes_;
  std::vector<uint64_t> offsets_ = {0};
};

}  // namespace tamis

#endif  // TAMIS_FUNNEL_H_
