// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "reference/numerics/arithmetic.h"

namespace assay::numerics {

/// One instruction's worth of D = A * B + C, as codes. a: m rows of k; b: n columns of k; c: m rows of n.
/// scale_a: m rows of Types::scale_count(); scale_b: n columns of as many. met: empty, or of a sparse A for
/// each element of its m rows of k which element of a column of B it meets; b then is n columns of stored_k.
struct Tile {
  int m = 0, n = 0;
  std::span<const uint32_t> a, b, c;
  std::span<const uint8_t> scale_a, scale_b;
  int scale_input_d = 0;
  std::span<const uint16_t> met;
  int stored_k = 0;

  /// Where b has what element i of the k of a row of A meets in a column.
  size_t b_at(size_t row, size_t column, size_t i, size_t k) const {
    return met.empty() ? column * k + i : column * static_cast<size_t>(stored_k) + met[row * k + i];
  }
};

/// False where the vector code cannot keep every bit (very large kept_bits, f64); exact.h can.
bool fast_supports(const Arithmetic& arithmetic, const Types& types);

/// D, m rows of n, with the widest vectors of this processor. Requires fast_supports(). d must not overlap c.
void fast_tile(const Arithmetic& arithmetic, const Types& types, const Tile& tile, std::span<uint32_t> d);

/// Scheme::chain on f64: one fused multiply-add of the processor per k.
uint64_t fast_chain(const Arithmetic& arithmetic, std::span<const uint64_t> a, std::span<const uint64_t> b,
                    uint64_t c);

struct Kernels;
/// The same for a row of D: b is k rows of columns, as many as c and d have, a multiple of chain_columns
/// (fast_kernels.h).
void fast_chain_row(const Kernels& kernels, const Arithmetic& arithmetic, std::span<const uint64_t> a,
                    std::span<const uint64_t> b, std::span<const uint64_t> c, std::span<uint64_t> d);

/// As fast_tile, with the loops of one instruction set of kernels_of_this_processor().
void fast_tile_with(const Kernels& kernels, const Arithmetic& arithmetic, const Types& types,
                    const Tile& tile, std::span<uint32_t> d);

/// The vector instruction set in use, as Highway calls it.
std::string_view fast_target();

}  // namespace assay::numerics
