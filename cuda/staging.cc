#include "cuda/staging.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "tamis/answers.h"

namespace tamis::gpu {

namespace {

constexpr uint64_t kGroup = 64;  // keys: whole words of answers

// Bytes in the host's memory of keys 0 to count - 1, without their offsets.
template <typename Offset>
uint64_t StringBytes(const Keys& keys, uint64_t first, uint64_t count) {
  const auto* offsets = static_cast<const Offset*>(keys.items()) + first;
  return offsets[count] - offsets[0];
}

uint64_t BytesOf(const Keys& keys, uint64_t first, uint64_t count) {
  switch (keys.kind()) {
    case Keys::Kind::kStrings32:
      return StringBytes<uint32_t>(keys, first, count) + (count + 1) * sizeof(uint32_t);
    case Keys::Kind::kStrings64:
      return StringBytes<uint64_t>(keys, first, count) + (count + 1) * sizeof(uint64_t);
    case Keys::Kind::kFixed:
    case Keys::Kind::kHashes:
      return count * keys.width();
    case Keys::Kind::kViews:
      break;
  }
  return count * sizeof(uint64_t);
}

// Strings begin in a slot where their offsets end, rounded up so that words stay aligned.
constexpr uint64_t Aligned(uint64_t at) { return (at + 15) / 16 * 16; }

constexpr uint64_t kSlack = 64;  // for that, and for words read past the last key

}  // namespace

uint64_t ChunkOf(const Keys& keys, uint64_t first, uint64_t most, bool* fits) {
  const uint64_t left = keys.size() - first;
  uint64_t count = std::min(left, most);
  while (BytesOf(keys, first, count) > kSlotBytes && count > kGroup) {
    count = std::max(kGroup, count / 2 / kGroup * kGroup);
  }
  *fits = BytesOf(keys, first, count) <= kSlotBytes;
  return count;
}

void Staging::RequireHashable(const Spec& spec, const Keys& keys) {
  if (CanHash(spec, DeviceKeys::Of(keys))) return;
  if (keys.kind() == Keys::Kind::kViews) {
    throw InvalidArgument("views in the device's memory: give strings by offsets");
  }
  throw InvalidArgument(
      std::string(NameOf(spec.hash)) +
      " of keys in the device's memory: it takes those of 8 bytes; give others from the host's");
}

void Staging::Prepare(Slot& slot, uint64_t bytes) {
  slot.sent.Await();
  slot.used.Await();
  slot.pinned.Grow(bytes);
  slot.keys.Grow(bytes);
}

void Staging::Copy(Slot& slot, const void* from, uint64_t bytes, uint64_t at) {
  if (bytes == 0) return;
  const void* source = from;
  if (!IsPinned(from)) source = std::memcpy(slot.pinned.data() + at, from, bytes);
  Check(
      cudaMemcpyAsync(slot.keys.data() + at, source, bytes, cudaMemcpyHostToDevice, copying_.get()),
      "copying keys to the device");
}

void Staging::SendHashes(const Kernels& kernels, const Spec& spec, const Keys& keys, Slot& slot) {
  const int words = spec.hash_words();
  const uint64_t count = keys.size() * static_cast<unsigned>(words);
  const uint64_t bytes = count * sizeof(uint64_t);
  Prepare(slot, bytes);
  kernels.hash(spec, keys, slot.pinned.data<uint64_t>());
  Check(cudaMemcpyAsync(slot.keys.data(), slot.pinned.data(), bytes, cudaMemcpyHostToDevice,
                        copying_.get()),
        "copying hashes to the device");
  slot.there = DeviceKeys::Of(Keys::Hashes({slot.keys.data<uint64_t>(), count}, words));
}

void Staging::SendFixed(const Keys& keys, Slot& slot) {
  const uint64_t bytes = BytesOf(keys, 0, keys.size());
  Prepare(slot, bytes + kSlack);
  Copy(slot, keys.items(), bytes, 0);
  slot.there = DeviceKeys::Of(keys);
  slot.there.items = slot.keys.data();
}

template <typename Offset>
void Staging::SendStrings(const Keys& keys, Slot& slot) {
  const auto* offsets = static_cast<const Offset*>(keys.items());
  const uint64_t offset_bytes = (keys.size() + 1) * sizeof(Offset);
  const uint64_t string_bytes = StringBytes<Offset>(keys, 0, keys.size());
  const uint64_t strings_at = Aligned(offset_bytes);
  Prepare(slot, strings_at + string_bytes + kSlack);
  Copy(slot, offsets, offset_bytes, 0);
  Copy(slot, keys.bytes() + offsets[0], string_bytes, strings_at);
  slot.there = DeviceKeys::Of(keys);
  slot.there.items = slot.keys.data();
  // Offsets went as they are: `bytes` moves so that the first of them leads to the first key.
  slot.there.bytes = slot.keys.data<const char>() + static_cast<std::ptrdiff_t>(strings_at) -
                     static_cast<std::ptrdiff_t>(offsets[0]);
}

uint64_t Staging::Send(const Kernels& kernels, const Spec& spec, const Keys& keys, uint64_t first,
                       uint64_t most, Slot& slot) {
  bool fits = true;
  const uint64_t count = ChunkOf(keys, first, most, &fits);
  const Keys part = keys.Slice(first, count);
  if (!fits || !CanHash(spec, DeviceKeys::Of(part))) {
    SendHashes(kernels, spec, part, slot);
  } else if (keys.kind() == Keys::Kind::kStrings32) {
    SendStrings<uint32_t>(part, slot);
  } else if (keys.kind() == Keys::Kind::kStrings64) {
    SendStrings<uint64_t>(part, slot);
  } else {
    SendFixed(part, slot);
  }
  slot.sent.Record(copying_.get());
  sent_all_.Record(copying_.get());
  return count;
}

WordKeys Staging::Words(const Spec& spec, Slot& slot, cudaStream_t stream) {
  const DeviceKeys& keys = slot.there;
  const int words = spec.hash_words();
  const bool aligned = reinterpret_cast<uintptr_t>(keys.items) % sizeof(uint64_t) == 0;
  const bool as_they_are =
      keys.AreIntegers() && aligned && !spec.classic() && spec.hash == HashScheme::kXxh64;
  if (as_they_are || keys.kind == Keys::Kind::kHashes) {
    return {.items = static_cast<const uint64_t*>(keys.items),
            .seed = spec.seed,
            .hashed = keys.kind == Keys::Kind::kHashes,
            .words = words};
  }
  slot.used.Await();  // before its hashes may move
  slot.hashes.Grow(keys.size * static_cast<unsigned>(words) * sizeof(uint64_t));
  Hash(Queue{device_, stream}, spec, keys, slot.hashes.data<uint64_t>());
  return {.items = slot.hashes.data<uint64_t>(), .seed = spec.seed, .hashed = true, .words = words};
}

void AnswerStaging::Put(Slot& slot) {
  uint8_t* answers = std::exchange(slot.answers, nullptr);
  if (answers == nullptr) return;
  slot.fetched.Await();
  const auto* from = slot.pinned.data<uint8_t>();
  std::memcpy(answers, from, slot.keys / 8);
  for (uint64_t i = slot.keys / 8 * 8; i < slot.keys; ++i) {
    SetAnswer(answers, i, AnswerAt(from, i));
  }
}

void AnswerStaging::Start() {
  for (Slot& slot : slots_) slot.answers = nullptr;
}

uint32_t* AnswerStaging::Next(uint64_t n) {
  current_ = 1 - current_;
  Slot& slot = slots_[current_];
  Put(slot);
  slot.keys = n;
  slot.device.Grow((n + 31) / 32 * sizeof(uint32_t));
  slot.pinned.Grow(AnswerBytes(n));
  return slot.device.data<uint32_t>();
}

void AnswerStaging::Fetch(uint8_t* answers, cudaStream_t stream) {
  Slot& slot = slots_[current_];
  Check(cudaMemcpyAsync(slot.pinned.data(), slot.device.data(), AnswerBytes(slot.keys),
                        cudaMemcpyDeviceToHost, stream),
        "copying answers from the device");
  slot.fetched.Record(stream);
  slot.answers = answers;
}

void AnswerStaging::Finish() {
  for (Slot& slot : slots_) Put(slot);
}

}  // namespace tamis::gpu
