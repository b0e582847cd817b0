// Which device there is, or why there is none, in words.
#ifndef TAMIS_CUDA_DEVICE_H_
#define TAMIS_CUDA_DEVICE_H_

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>

namespace tamis::gpu {

/// Oldest compute capability that machine code is built for.
inline constexpr int kOldestMajor = 8;

/// What cudaGetDeviceCount's result means for a user; empty if it means that there are devices.
/// `driver` is what cudaDriverGetVersion gave: 0 if no driver is installed.
std::string ReasonOf(cudaError_t result, int devices, int driver);

/// What speaks against a device of this compute capability; empty if nothing.
std::string ReasonAgainst(const char* name, int major, int minor);

/// Why no device can be used by this process; empty if the current one can. Asks once.
const std::string& WhyNoDevice();

/// The current device.
struct Device {
  std::string name;
  int multiprocessors;
  uint64_t l2_bytes;
  uint64_t memory_bytes;
};

/// Throws DeviceError if there is none.
Device CurrentDevice();

/// Whether a pointer's memory can be read and written by the device at full speed: its own memory,
/// or memory shared with it. Memory of the host that is merely pinned is none such.
bool OnDevice(const void* pointer);

/// Brings those pages of managed memory that are elsewhere to the current device, in the stream.
void Summon(const void* memory, uint64_t bytes, cudaStream_t stream);

/// Whether copies to and from this memory need no staging: the host's, but pinned.
bool IsPinned(const void* pointer);

}  // namespace tamis::gpu

#endif  // TAMIS_CUDA_DEVICE_H_
