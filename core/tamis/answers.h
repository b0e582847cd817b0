// Answers are one bit a key in the caller's memory, least significant bit of byte 0 first: Arrow's
// validity layout. Any alignment will do. A call on n keys writes bits 0 to n - 1 and no others.
#ifndef TAMIS_ANSWERS_H_
#define TAMIS_ANSWERS_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "tamis/error.h"

namespace tamis {

/// Bytes that hold one bit for each of n keys.
constexpr uint64_t AnswerBytes(uint64_t n) { return n / 8 + (n % 8 != 0); }

/// The answer for key i.
constexpr bool AnswerAt(const uint8_t* answers, uint64_t i) {
  return ((answers[i / 8] >> (i % 8)) & 1) != 0;
}

/// Sets or clears the answer for key i, leaving the other bits alone.
constexpr void SetAnswer(uint8_t* answers, uint64_t i, bool answer) {
  const auto bit = static_cast<uint8_t>(1U << (i % 8));
  answers[i / 8] =
      static_cast<uint8_t>(answer ? answers[i / 8] | bit : answers[i / 8] & ~unsigned{bit});
}

/// Writes the answers for the next `n` keys (at most 64) from the low bits of `word`.
inline void PutAnswers(uint8_t* answers, uint64_t word, uint64_t n) {
  if (n == 64) {
    std::memcpy(answers, &word, sizeof word);
    return;
  }
  std::memcpy(answers, &word, n / 8);
  if (n % 8 == 0) return;
  const uint32_t ours = (1U << (n % 8)) - 1;  // of the last byte; the others stay
  const auto last = static_cast<uint32_t>(word >> (n / 8 * 8));
  answers[n / 8] = static_cast<uint8_t>((last & ours) | (answers[n / 8] & ~ours));
}

/// Sets the answers for keys 0 to n - 1 to one value.
inline void FillAnswers(uint8_t* answers, uint64_t n, bool answer) {
  std::fill_n(answers, n / 8, answer ? uint8_t{0xff} : uint8_t{0});
  for (uint64_t i = n / 8 * 8; i < n; ++i) SetAnswer(answers, i, answer);
}

/// Where to write answers for n keys: null if the caller wants none. Throws InvalidArgument if the
/// caller's memory is too small.
inline uint8_t* CheckedAnswers(std::span<uint8_t> answers, uint64_t n) {
  if (answers.empty()) return nullptr;
  if (answers.size() < AnswerBytes(n)) {
    throw InvalidArgument("answers of " + std::to_string(answers.size()) + " bytes: " +
                          std::to_string(n) + " keys need " + std::to_string(AnswerBytes(n)));
  }
  return answers.data();
}

}  // namespace tamis

#endif  // TAMIS_ANSWERS_H_
