#include "cuda/device.h"

#include "cuda/check.h"
#include "tamis/error.h"

namespace tamis::gpu {

namespace {

std::string VersionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string AskForDevice() {
  int devices = 0;  // left as it is when the call fails
  int driver = 0;
  const cudaError_t result = cudaGetDeviceCount(&devices);
  if (cudaDriverGetVersion(&driver) != cudaSuccess) driver = 0;
  cudaGetLastError();
  std::string reason = ReasonOf(result, devices, driver);
  if (!reason.empty()) return reason;
  int current = 0;
  cudaDeviceProp device = {};
  if (cudaGetDevice(&current) != cudaSuccess ||
      cudaGetDeviceProperties(&device, current) != cudaSuccess) {
    return std::string("the device does not answer: ") + cudaGetErrorString(cudaGetLastError());
  }
  return ReasonAgainst(device.name, device.major, device.minor);
}

cudaMemoryType KindOf(const void* pointer) {
  cudaPointerAttributes attributes = {};
  if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess) {
    cudaGetLastError();
    return cudaMemoryTypeUnregistered;
  }
  return attributes.type;
}

}  // namespace

std::string ReasonOf(cudaError_t result, int devices, int driver) {
  switch (result) {
    case cudaSuccess:
      return devices > 0 ? "" : "no NVIDIA device, though there is a driver";
    case cudaErrorInsufficientDriver:
      return driver == 0 ? "no NVIDIA driver"
                         : "the NVIDIA driver is too old: it serves CUDA " + VersionText(driver) +
                               ", this build needs " + VersionText(CUDART_VERSION);
    case cudaErrorStubLibrary:
      return "the toolkit's stub of libcuda was loaded in place of an NVIDIA driver";
    case cudaErrorNoDevice:
      return "no NVIDIA device, though there is a driver";
    default:
      return std::string("the NVIDIA driver fails: ") + cudaGetErrorString(result);
  }
}

std::string ReasonAgainst(const char* name, int major, int minor) {
  if (major >= kOldestMajor) return "";
  return std::string(name) + " has compute capability " + std::to_string(major) + "." +
         std::to_string(minor) + ", and " + std::to_string(kOldestMajor) + ".0 is needed";
}

const std::string& WhyNoDevice() {
  static const std::string reason = AskForDevice();
  return reason;
}

Device CurrentDevice() {
  if (!WhyNoDevice().empty()) throw DeviceError(WhyNoDevice());
  int current = 0;
  cudaDeviceProp device = {};
  Check(cudaGetDevice(&current), "asking for the current device");
  Check(cudaGetDeviceProperties(&device, current), "asking what the device is");
  return {.name = device.name,
          .multiprocessors = device.multiProcessorCount,
          .l2_bytes = static_cast<uint64_t>(device.l2CacheSize),
          .memory_bytes = device.totalGlobalMem};
}

bool OnDevice(const void* pointer) {
  const cudaMemoryType kind = KindOf(pointer);
  return kind == cudaMemoryTypeDevice || kind == cudaMemoryTypeManaged;
}

void Summon(const void* memory, uint64_t bytes, cudaStream_t stream) {
  if (KindOf(memory) != cudaMemoryTypeManaged) return;
  int current = 0;
  Check(cudaGetDevice(&current), "asking for the current device");
#if CUDART_VERSION >= 13000
  cudaMemLocation here = {};
  here.type = cudaMemLocationTypeDevice;
  here.id = current;
  const cudaError_t result = cudaMemPrefetchAsync(memory, bytes, here, 0, stream);
#else
  const cudaError_t result = cudaMemPrefetchAsync(memory, bytes, current, stream);
#endif
  // Systems that cannot move single pages refuse; kernels then find them all the same.
  if (result == cudaErrorNotSupported || result == cudaErrorInvalidDevice) {
    cudaGetLastError();
    return;
  }
  Check(result, "bringing a filter to the device");
}

bool IsPinned(const void* pointer) { return KindOf(pointer) == cudaMemoryTypeHost; }

}  // namespace tamis::gpu
