// The odd single key, by its hash. Not installed.
#ifndef TAMIS_CORE_SINGLE_KEY_H_
#define TAMIS_CORE_SINGLE_KEY_H_

#include <cstddef>
#include <string_view>

#include "tamis/keys.h"
#include "tamis/schemes.h"

namespace tamis {

/// A batch of one, for what is asked of batches. Keys of no bytes have no fixed width.
inline Keys OneKey(const std::string_view& key) {
  if (key.empty()) return Keys::Views({&key, 1});
  return Keys::Fixed(std::as_bytes(std::span(key)), static_cast<uint32_t>(key.size()));
}

/// Sets the key's bits; returns whether one was clear.
bool MarkKey(const Spec& spec, std::byte* bits, const KeyHash& hash);
/// The same in a register_blocked filter that other threads write and read by these functions at
/// the same time.
bool MarkKeyShared(const Spec& spec, std::byte* bits, const KeyHash& hash);
/// Whether all of them are set.
bool TestKey(const Spec& spec, const std::byte* bits, const KeyHash& hash);

}  // namespace tamis

#endif  // TAMIS_CORE_SINGLE_KEY_H_
