// How many distinct keys there are, without remembering them: HyperLogLog (Flajolet, Fusy,
// Gandouet, Meunier, 2007) with the estimator of Ertl ("New cardinality estimation algorithms for
// HyperLogLog sketches", 2017), which has no bias from none to 2^60 and needs no tables.
#ifndef TAMIS_TOOLS_CARDINALITY_H_
#define TAMIS_TOOLS_CARDINALITY_H_

#include <cstdint>
#include <span>
#include <vector>

namespace tamis::command {

class CardinalityCounter {
 public:
  static constexpr int kPrecision = 16;  ///< 2^16 registers of a byte

  /// Standard error of the estimate, as a share of it: 1.04 / sqrt(registers).
  static constexpr double kStandardError = 0.0040625;

  CardinalityCounter() : registers_(size_t{1} << kPrecision) {}

  /// Hashes of keys, of 64 good bits each. Equal ones count once.
  void Add(std::span<const uint64_t> hashes);
  double Estimate() const;

 private:
  std::vector<uint8_t> registers_;  // the longest run of zeros seen, plus 1
};

}  // namespace tamis::command

#endif  // TAMIS_TOOLS_CARDINALITY_H_
