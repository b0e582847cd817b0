// The flagship layout: 256-bit blocks of eight 32-bit words, one bit of a key in each. Byte for
// byte the bitset of Apache Parquet, Arrow, DuckDB and cuDF.
#ifndef TAMIS_VARIANTS_SPLIT_BLOCK_H_
#define TAMIS_VARIANTS_SPLIT_BLOCK_H_

#include <cstdint>
#include <string_view>

#include "tamis/bits.h"

namespace tamis {

struct SplitBlock : EightWords<uint32_t> {
  static constexpr uint32_t kId = 1;  // in files; never reused
  static constexpr std::string_view kName = "split_block";
};

}  // namespace tamis

#endif  // TAMIS_VARIANTS_SPLIT_BLOCK_H_
