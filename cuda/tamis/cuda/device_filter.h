// A filter in a GPU's memory: the same bytes and the same answers as on the host, and one copy from
// the one to the other.
//
//   tamis::DeviceFilter seen(tamis::PlanFor(1'000'000'000, 0.01));
//   uint64_t fresh = seen.InsertNew(tamis::Keys::U64({device_keys, n}), device_answers, stream);
//   tamis::Save(seen.ToHost(), "seen.tamis");
//
// Keys are in the host's memory or in the device's: `Keys` over device pointers. Keys of the host
// are sent in chunks while earlier chunks are worked on. Bytes of strings must be readable up to
// the next multiple of four, as all memory from cudaMalloc is. Views cannot be the device's, nor
// can keys of other than 8 bytes for a filter by XXH3.
//
// A filter belongs to the device that was current when it was made, and that must be current in its
// calls. It is for one caller at a time, Contains too, and for streams that follow one another: it
// owns the memory that its calls work in. Where no GPU is, constructors throw DeviceError with the
// reason. Compiles without the CUDA toolkit's headers.
#ifndef TAMIS_CUDA_DEVICE_FILTER_H_
#define TAMIS_CUDA_DEVICE_FILTER_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "tamis/cuda/device_view.cuh"
#include "tamis/filter.h"
#include "tamis/keys.h"

struct CUstream_st;  // what the toolkit's cudaStream_t points to

namespace tamis {

/// cudaStream_t; null is the default stream.
using DeviceStream = CUstream_st*;

class DeviceFilter {
 public:
  /// An empty filter. Throws InvalidArgument for a bad Spec, MemoryError if the device has no room
  /// for it, DeviceError without a device.
  explicit DeviceFilter(const Plan& plan);
  /// A copy of a filter on the host.
  explicit DeviceFilter(const Filter& filter);
  ~DeviceFilter();
  DeviceFilter(DeviceFilter&&) noexcept;
  DeviceFilter& operator=(DeviceFilter&&) noexcept;

  const Spec& spec() const { return plan_.spec; }
  const Plan& plan() const { return plan_; }
  uint64_t inserted() const { return inserted_; }
  /// For keys that went in through a view, which cannot count.
  void AddInserted(uint64_t keys);

  /// The bytes, in the device's memory: spec().bytes() of them.
  std::byte* data() const;
  /// For kernels of your own, of a filter of blocks. Throws SpecMismatch if V is not the filter's
  /// variant, or its hash is not XXH64, which views compute.
  template <typename V>
  DeviceView<V> View() const {
    RequireView(static_cast<Variant>(V::kId));
    return {.blocks = reinterpret_cast<typename DeviceView<V>::Block*>(data()),
            .count = static_cast<uint32_t>(spec().blocks),
            .seed = spec().seed,
            .k = spec().k};
  }

  /// Takes over the bits and the count of a filter of equal Spec (or SpecMismatch), or gives them.
  /// Wait until done.
  void Upload(const Filter& from, DeviceStream stream = nullptr);
  void Download(Filter& into, DeviceStream stream = nullptr) const;
  Filter ToHost(DeviceStream stream = nullptr) const;

  /// Puts every key in. Waits if the keys are the host's; else the work is in the stream, and the
  /// keys must stay until it is done.
  void Insert(const Keys& keys, DeviceStream stream = nullptr);

  /// As Engine's, waiting until done. `answers` is null, or AnswerBytes(keys.size()) bytes of the
  /// host's memory at any address, or as many, rounded up to whole words of four, of the device's
  /// at a multiple of four.
  uint64_t InsertNew(const Keys& keys, uint8_t* answers = nullptr, DeviceStream stream = nullptr);
  uint64_t Contains(const Keys& keys, uint8_t* answers = nullptr,
                    DeviceStream stream = nullptr) const;

  /// Puts in all that `from` holds. Throws SpecMismatch unless both Specs are equal. Waits.
  void Merge(const DeviceFilter& from, DeviceStream stream = nullptr);

  /// Forgets every key, in the stream.
  void Clear(DeviceStream stream = nullptr);

  /// Share of bits that are set, 0 to 1. Waits.
  double Fill(DeviceStream stream = nullptr) const;

 private:
  struct State;
  void RequireView(Variant variant) const;

  Plan plan_;
  uint64_t inserted_ = 0;
  std::unique_ptr<State> state_;
};

}  // namespace tamis

#endif  // TAMIS_CUDA_DEVICE_FILTER_H_
