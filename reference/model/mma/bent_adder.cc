// SPDX-License-Identifier: Apache-2.0
#include "reference/model/mma/bent_adder.h"

#include <algorithm>
#include <vector>

#include "reference/numerics/exact.h"

namespace assay::model {
namespace {

std::vector<uint64_t> line_of(std::span<const uint8_t> codes, size_t line, size_t length) {
  const auto begin = codes.begin() + static_cast<ptrdiff_t>(line * length);
  return {begin, begin + static_cast<ptrdiff_t>(length)};
}

/// With vectors where they keep every bit, else one element after the other.
void sum(const numerics::Arithmetic& arithmetic, const numerics::Types& types, const numerics::Tile& tile,
         std::span<uint32_t> d) {
  if (numerics::fast_supports(arithmetic, types)) return numerics::fast_tile(arithmetic, types, tile, d);
  const auto k = static_cast<size_t>(types.k);
  std::vector<uint64_t> a(k), b(k);
  for (size_t row = 0; row < static_cast<size_t>(tile.m); ++row)
    for (size_t column = 0; column < static_cast<size_t>(tile.n); ++column) {
      std::copy_n(tile.a.begin() + static_cast<ptrdiff_t>(row * k), k, a.begin());
      for (size_t i = 0; i < k; ++i) b[i] = tile.b[tile.b_at(row, column, i, k)];
      const size_t at = row * static_cast<size_t>(tile.n) + column;
      numerics::Dot dot;
      dot.a = a, dot.b = b, dot.c = tile.c[at], dot.scale_input_d = tile.scale_input_d;
      const auto scales = static_cast<size_t>(types.scale_count());
      const std::vector<uint64_t> of_row = line_of(tile.scale_a, row, scales),
                                  of_column = line_of(tile.scale_b, column, scales);
      dot.scale_a = of_row, dot.scale_b = of_column;
      d[at] = static_cast<uint32_t>(numerics::exact_dot(arithmetic, types, dot));
    }
}

/// Products of other blocks are zeros: they count for nothing.
std::vector<uint32_t> of_block(const MmaBend& bend, const numerics::Types& types, bool reads_c,
                               std::span<const uint32_t> codes, int block) {
  std::vector<uint32_t> kept(codes.begin(), codes.end());
  for (size_t i = 0; i < kept.size(); ++i)
    if (bend.block(types, reads_c, static_cast<int>(i % static_cast<size_t>(types.k))) != block) kept[i] = 0;
  return kept;
}

}  // namespace

void bent_tile(const MmaBend& bend, numerics::Arithmetic arithmetic, const numerics::Types& types,
               const numerics::Tile& tile, bool reads_c, std::span<uint32_t> d, std::span<uint32_t> open) {
  std::vector<uint32_t> a(tile.a.begin(), tile.a.end()), b(tile.b.begin(), tile.b.end()),
      c(tile.c.begin(), tile.c.end());
  if (bend.operand != nullptr) {
    for (uint32_t& code : a) code = bend.operand(*types.a, code);
    for (uint32_t& code : b) code = bend.operand(*types.b, code);
  }
  if (bend.arithmetic != nullptr) bend.arithmetic(types, arithmetic);
  numerics::Tile bent = tile;
  bent.a = a, bent.b = b, bent.c = c;
  if (bend.block == nullptr) {
    sum(arithmetic, types, bent, d);
  } else {
    for (int block = 0; block < 2; ++block) {
      const std::vector<uint32_t> some_a = of_block(bend, types, reads_c, a, block),
                                  some_b = of_block(bend, types, reads_c, b, block);
      const bool is_empty = std::none_of(some_a.begin(), some_a.end(), [](uint32_t code) { return code; });
      if (block != 0 && is_empty) break;
      bent.a = some_a, bent.b = some_b, bent.c = c;
      sum(arithmetic, types, bent, d);
      c.assign(d.begin(), d.begin() + static_cast<ptrdiff_t>(c.size()));
      bent.scale_input_d = 0;
    }
  }
  for (size_t i = 0; i < open.size(); ++i) {
    open[i] = bend.open_bits == nullptr ? 0 : bend.open_bits(types, d[i]);
    if (bend.result != nullptr) d[i] = bend.result(types, d[i]);
  }
}

}  // namespace assay::model
