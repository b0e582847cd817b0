// The cuda backend of a build without CUDA: it is listed, and says why it cannot run.

#include "tamis/backend.h"
#include "tamis/error.h"

namespace tamis {

namespace {

constexpr const char* kReason = "built without CUDA (TAMIS_CUDA=OFF, or no nvcc was found)";

class Absent final : public Backend {
 public:
  std::string_view name() const override { return "cuda"; }
  std::span<const Kernels> kernels() const override { return {}; }
  bool parallel() const override { return false; }
  bool device() const override { return true; }
  std::string Unavailable() const override { return kReason; }
  std::unique_ptr<Executor> Open(const Kernels& /*kernels*/, int /*threads*/) const override {
    throw DeviceError(std::string("backend cuda: ") + kReason);
  }
};

}  // namespace

const Backend& CudaBackend() {
  static const Absent backend;
  return backend;
}

}  // namespace tamis
