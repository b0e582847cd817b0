// Whether the machine is quiet: one fixed piece of work, done now and then over a run. Its times
// differ only by what else the machine does, so their spread bounds what small differences between
// rows can mean.
#ifndef TAMIS_BENCH_NOISE_H_
#define TAMIS_BENCH_NOISE_H_

#include <string>
#include <vector>

#include "tamis/storage.h"

namespace tamis::bench {

class NoiseProbe {
 public:
  NoiseProbe();

  /// Does the piece of work once: a few milliseconds of random reads past the caches.
  void Sample();

  /// (p90 - p10) / median of the times so far; 0 for fewer than five.
  double Spread() const;

  /// The spread in words: "quiet", or what to make of a noisy machine.
  static std::string Words(double spread);

 private:
  Storage storage_;
  std::vector<double> seconds_;
};

}  // namespace tamis::bench

#endif  // TAMIS_BENCH_NOISE_H_
