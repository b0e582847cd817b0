// What the tests of core/ share: keys from fixed seeds, the message of a refusal, and the interval
// in which a measured rate has to lie.
#ifndef TAMIS_TESTS_SAMPLES_H_
#define TAMIS_TESTS_SAMPLES_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tamis/engine.h"
#include "tamis/schemes.h"

namespace tamis {

/// A bijection of 64-bit numbers that looks random (SplitMix64's finaliser).
inline uint64_t Scramble(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// `n` distinct keys. Those of different sets (below 2^20) differ from each other too.
inline std::vector<uint64_t> DistinctKeys(uint64_t n, uint64_t set) {
  std::vector<uint64_t> keys(n);
  for (uint64_t i = 0; i < n; ++i) keys[i] = Scramble((set << 44) + i + 1);
  return keys;
}

/// `n` keys drawn from `distinct` different ones, so that about n / distinct are equal.
inline std::vector<uint64_t> RepeatingKeys(uint64_t n, uint64_t distinct, uint64_t set) {
  std::vector<uint64_t> keys(n);
  for (uint64_t i = 0; i < n; ++i) {
    keys[i] = Scramble((set << 44) + Scramble(set + i) % distinct + 1);
  }
  return keys;
}

/// The message with which `call` throws an E, which it must.
template <typename E, typename Call>
std::string RefusalOf(Call&& call) {
  try {
    call();
  } catch (const E& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another error than expected: " << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return "";
}

inline void ExpectNames(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(message.find(part), std::string::npos) << "'" << part << "' in: " << message;
  }
}

/// Which bits of the filter's bytes a key has, in the order of its definition, from the masks and
/// positions alone.
inline std::vector<uint64_t> BitsOf(const Spec& spec, uint64_t key) {
  const KeyHash hash = HashOf(spec, key);
  std::vector<uint64_t> bits;
  VisitVariant(spec.variant, [&]<typename V>(V) {
    if constexpr (V::kBlocked) {
      const Place at = Locate(hash.words[0], static_cast<uint32_t>(spec.blocks));
      const uint64_t block = 8 * spec.block_bytes() * at.block;
      for (int i = 0; i < spec.k; ++i) bits.push_back(block + V::Position(at.low, i));
    } else {
      VisitProbe(spec.probe, [&]<class P>(P) {
        typename P::template Walk<uint64_t> walk(hash.words, BitRange(spec.m));
        for (int i = 0; i < spec.k; ++i) bits.push_back(walk.Next());
      });
    }
  });
  return bits;
}

inline std::vector<std::byte> BytesOf(const Filter& filter) {
  return {filter.bytes().begin(), filter.bytes().end()};
}

/// Statistical tests allow five and a half standard deviations each way: for a normal sum, fewer
/// than one false alarm in 20 million. Seeds are fixed, so a test that passes once passes always;
/// the interval says how much the result means.
inline constexpr double kSigmas = 5.5;

/// Standard deviation of the measured share when an event of this rate is tried so often.
inline double BinomialSigma(double rate, double trials) {
  return std::sqrt(rate * (1 - rate) / trials);
}

/// Share of `trials` foreign keys that the filter calls present. They are of sets `set` and up.
inline double MeasuredFpr(const Engine& engine, const Filter& filter, uint64_t trials,
                          uint64_t set) {
  constexpr uint64_t kBatch = 1 << 18;
  uint64_t present = 0;
  for (uint64_t done = 0; done < trials; done += kBatch, ++set) {
    present +=
        engine.Contains(filter, Keys::U64(DistinctKeys(std::min(kBatch, trials - done), set)));
  }
  return static_cast<double>(present) / static_cast<double>(trials);
}

}  // namespace tamis

#endif  // TAMIS_TESTS_SAMPLES_H_
