// A filter for callers who cannot know how many keys will come: layers, each twice as large as the
// one before and with half its error, the first at half the rate asked for, so that the whole stays
// under it (Almeida, Baquero, Preguica, Hutchison: Scalable Bloom Filters, 2007).
//
//   layer 0   capacity c     fpr P/2
//   layer 1   capacity 2c    fpr P/4
//   layer 2   capacity 4c    fpr P/8       P/2 + P/4 + ... < P
//
// A key is present if some layer has it. A new key goes into the last layer; the key that fills the
// layer's capacity is its last, and the next new key opens another. Batches answer exactly as if
// their keys came one by one, also where a layer ends inside a batch.
//
// Threads: as for Filter.
#ifndef TAMIS_SCALABLE_H_
#define TAMIS_SCALABLE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "tamis/filter.h"

namespace tamis {

class ScalableFilter {
 public:
  static constexpr double kTighten = 0.5;  ///< each layer's error, as a share of the one before
  static constexpr uint64_t kMaxGrowth = uint64_t{1} << 32;  ///< of PlanOptions::growth
  static constexpr size_t kMaxLayers = 40;                   ///< 2^40 times the first capacity

  /// One empty layer for `first_capacity` keys (at least 1). `fpr` is the rate of the whole.
  /// Throws as PlanFor and Filter do.
  ScalableFilter(uint64_t first_capacity, double fpr, const PlanOptions& options = {});

  /// Layers read from a file. Throws InvalidArgument unless they are just what growing from
  /// `first_capacity` at `fpr` makes.
  ScalableFilter(uint64_t first_capacity, double fpr, const PlanOptions& options,
                 std::vector<Filter> layers);

  // Filters move and are not copied; said here since a vector of them seems to be copyable.
  ScalableFilter(ScalableFilter&&) noexcept = default;
  ScalableFilter& operator=(ScalableFilter&&) noexcept = default;

  double fpr() const { return fpr_; }
  uint64_t first_capacity() const { return first_capacity_; }
  const PlanOptions& options() const { return options_; }
  const std::vector<Filter>& layers() const { return layers_; }
  std::vector<Filter>& layers() { return layers_; }  // for engines

  /// Distinct keys that went in: exact, since only new keys do.
  uint64_t inserted() const;
  uint64_t bytes() const;
  /// Rates of the whole: one minus the product of the layers' misses.
  double ExpectedFpr() const;
  double ObservedFpr() const;

  /// The plan of layer i.
  Plan PlanOfLayer(size_t i) const;
  /// Opens the next layer. Throws MemoryError or InvalidArgument if it would be too large.
  void AddLayer();

 private:
  uint64_t first_capacity_;
  double fpr_;
  PlanOptions options_;
  std::vector<Filter> layers_;
};

}  // namespace tamis

#endif  // TAMIS_SCALABLE_H_
