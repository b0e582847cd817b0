// Keys on their way to the device, chunk by chunk, and answers on their way back.
//
//   host keys   caller's memory -> pinned slot -> device slot   on the copying stream
//   kernels                                       device slot   on the computing stream
//
// There are two slots: while kernels work on one, the other is filled. What is on the device
// already is used where it is; what is pinned already is copied from where it is. Views, which are
// scattered over the host's memory, are hashed there, and the hashes are sent; so is what the
// device has no code to hash.
#ifndef TAMIS_CUDA_STAGING_H_
#define TAMIS_CUDA_STAGING_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "cuda/device.h"
#include "cuda/device_memory.h"
#include "cuda/kernels.h"
#include "tamis/backend.h"
#include "tamis/keys.h"

namespace tamis::gpu {

/// Most bytes of keys in a slot.
inline constexpr uint64_t kSlotBytes = uint64_t{32} << 20;

/// How many keys from `first` on go into one slot: at most `most` (a multiple of 64), at least one,
/// a multiple of 64 unless they are the last. Sets *fits to whether their bytes fit into a slot; if
/// not (64 keys are larger than that) they are to be hashed where they are.
uint64_t ChunkOf(const Keys& keys, uint64_t first, uint64_t most, bool* fits);

class Staging {
 public:
  explicit Staging(const Device& device) : device_(device) {}

  /// Calls f(queue, WordKeys, first, count) for chunks of at most `most` keys (a multiple of 64),
  /// in order; f puts work on the chunk into queue.stream, which is `stream`. Each chunk is sent
  /// before the one before it is worked on. When this returns, the caller's keys are no longer
  /// needed unless the device reads them where they are, and the work may still be under way.
  /// `kernels` hash on the host. Throws InvalidArgument for keys that the Spec does not take,
  /// and for keys in the device's memory that it cannot hash.
  template <typename F>
  void ForChunks(const Kernels& kernels, const Spec& spec, const Keys& keys, uint64_t most,
                 cudaStream_t stream, F&& f) {
    RequireTaken(spec, keys);
    const bool there = OnDevice(keys.items());
    if (there) RequireHashable(spec, keys);
    const auto send = [&](uint64_t first, Slot& slot) {
      if (first == keys.size()) return uint64_t{0};
      if (!there) return Send(kernels, spec, keys, first, most, slot);
      const uint64_t count = std::min(most, keys.size() - first);
      slot.there = DeviceKeys::Of(keys.Slice(first, count));
      return count;
    };
    uint64_t count = send(0, slots_[0]);
    for (uint64_t first = 0, chunk = 0; count != 0; ++chunk) {
      Slot& slot = slots_[chunk % 2];
      const uint64_t next = send(first + count, slots_[(chunk + 1) % 2]);
      slot.sent.HoldUp(stream);
      f(Queue{device_, stream}, Words(spec, slot, stream), first, count);
      slot.used.Record(stream);
      first += count;
      count = next;
    }
    if (!there) sent_all_.Await();
  }

 private:
  struct Slot {
    PinnedMemory pinned;
    DeviceMemory keys;
    DeviceMemory hashes;
    DeviceKeys there;  // what is in `keys`, or wherever the caller has it
    Event sent;        // the copy to the device is done: `pinned` is free
    Event used;        // the kernels are done: `keys` and `hashes` are free
  };

  static void RequireHashable(const Spec& spec, const Keys& keys);
  // Copies keys from `first` on into the slot, as many as go. Returns how many.
  uint64_t Send(const Kernels& kernels, const Spec& spec, const Keys& keys, uint64_t first,
                uint64_t most, Slot& slot);
  // The pieces of that: hashes made here, back to back keys, strings.
  void SendHashes(const Kernels& kernels, const Spec& spec, const Keys& keys, Slot& slot);
  void SendFixed(const Keys& keys, Slot& slot);
  template <typename Offset>
  void SendStrings(const Keys& keys, Slot& slot);
  // Copies host memory to the slot's keys at `at`.
  void Copy(Slot& slot, const void* from, uint64_t bytes, uint64_t at);
  // Waits until the slot may be filled again, with so many bytes.
  static void Prepare(Slot& slot, uint64_t bytes);
  // The slot's keys as words: themselves if they are words, or else their hashes.
  WordKeys Words(const Spec& spec, Slot& slot, cudaStream_t stream);

  const Device& device_;
  Stream copying_;
  Event sent_all_;
  std::array<Slot, 2> slots_;
};

/// Answers of chunks that belong into the host's memory: fetched while the next chunk is worked on.
class AnswerStaging {
 public:
  /// Before the first chunk of a batch: nothing is awaited, whatever became of the last batch.
  void Start();
  /// Where kernels write the answers for the next chunk, of n keys.
  uint32_t* Next(uint64_t n);
  /// Puts fetching them into the stream; they come to `answers`, whose bits past them stay, in a
  /// later call of Next or in Finish.
  void Fetch(uint8_t* answers, cudaStream_t stream);
  /// Waits for all.
  void Finish();

 private:
  struct Slot {
    DeviceMemory device;
    PinnedMemory pinned;
    Event fetched;
    uint64_t keys = 0;
    uint8_t* answers = nullptr;  // where they are awaited; null if nowhere
  };

  static void Put(Slot& slot);

  std::array<Slot, 2> slots_;
  size_t current_ = 0;
};

}  // namespace tamis::gpu

#endif  // TAMIS_CUDA_STAGING_H_
