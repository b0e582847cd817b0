// The simd backend: one table of kernels for each Highway target that was compiled and that this
// processor supports, best first.

#include "tamis/backend.h"

#include <vector>

#include "hwy/targets.h"
#include "simd/tables.h"

namespace tamis {

namespace {

std::vector<Kernels> SupportedKernels() {
  std::vector<Kernels> tables;
  // Highway numbers better targets lower. SCALAR has no vectors; the scalar backend serves there.
  int64_t left = hwy::SupportedTargets() & HWY_TARGETS & ~HWY_SCALAR;
  for (; left != 0; left &= left - 1) {
    const int64_t target = left & -left;
    tables.push_back({.target = hwy::TargetName(target),
                      .hash = simd::HashFor(target),
                      .merge = simd::MergeFor(target),
                      .variants = {simd::SplitBlockFor(target), simd::SplitBlock512For(target),
                                   simd::ClassicFor(target), simd::CacheLineFor(target),
                                   simd::RegisterBlockedFor(target)}});
  }
  return tables;
}

class Simd final : public Backend {
 public:
  std::string_view name() const override { return "simd"; }
  std::span<const Kernels> kernels() const override { return kernels_; }
  bool parallel() const override { return false; }
  std::unique_ptr<Executor> Open(const Kernels& kernels, int /*threads*/) const override {
    return OpenSerial(kernels);
  }

 private:
  const std::vector<Kernels> kernels_ = SupportedKernels();
};

}  // namespace

const Backend& SimdBackend() {
  static const Simd backend;
  return backend;
}

}  // namespace tamis
