// Errors of the CUDA runtime become exceptions.
#ifndef TAMIS_CUDA_CHECK_H_
#define TAMIS_CUDA_CHECK_H_

#include <cuda_runtime_api.h>

#include <string>

#include "tamis/error.h"

namespace tamis::gpu {

/// Throws MemoryError if the device has no memory left, DeviceError for any other error. `action`
/// is what was tried, such as "copying keys to the device".
inline void Check(cudaError_t error, const char* action) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // or the next call would report it again
  const std::string text = std::string(action) + ": " + cudaGetErrorString(error);
  if (error == cudaErrorMemoryAllocation) throw MemoryError(text);
  throw DeviceError(text);
}

/// After a launch: whether it was accepted.
inline void CheckLaunch(const char* kernel) { Check(cudaGetLastError(), kernel); }

}  // namespace tamis::gpu

#endif  // TAMIS_CUDA_CHECK_H_
