// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "reference/spec/cite.h"

namespace assay::layout {

/// A .shape of tcgen05.cp with its multicast: a matrix of rows, each of `words` times 32 bits, K-major in
/// shared memory, that goes to as many columns of tensor memory.
struct TmemCopyShapeRow {
  std::string_view name;
  int rows, words;
  int copies;  ///< lanes that each row goes to
  int unit;    ///< rows that lie side by side in lanes
  /// The first lane of unit u of rows, copy c: u * unit_lanes + c * copy_lanes.
  int unit_lanes, copy_lanes;
  spec::Cite cite;
};
inline constexpr spec::Cite tmem_copy_cite{"cutlass", "copy_traits_sm100.hpp, UTCCP"};
inline constexpr std::array<TmemCopyShapeRow, 6> tmem_copy_shapes{{
    {"128x256b", 128, 8, 1, 128, 0, 0, tmem_copy_cite},
    {"4x256b", 4, 8, 1, 1, 32, 0, tmem_copy_cite},
    {"128x128b", 128, 4, 1, 128, 0, 0, tmem_copy_cite},
    {"64x128b.warpx2::02_13", 64, 4, 2, 32, 32, 64, tmem_copy_cite},
    {"64x128b.warpx2::01_23", 64, 4, 2, 32, 64, 32, tmem_copy_cite},
    {"32x128b.warpx4", 32, 4, 4, 32, 0, 32, tmem_copy_cite},
}};
inline constexpr uint32_t copy_of_02_13 = 3, copy_of_01_23 = 4;

/// What a decompressing copy takes of each 16 bytes: 16 elements.
struct TmemCopyFormatRow {
  std::string_view name;
  int bits;  ///< of an element; 0: the copy takes the bytes as they are
};
inline constexpr std::array<TmemCopyFormatRow, 3> tmem_copy_formats{{
    {"", 0},
    {".b8x16.b6x16_p32", 6},
    {".b8x16.b4x16_p64", 4},
}};

inline constexpr uint32_t tmem_copy_shape_count = tmem_copy_shapes.size(),
                          tmem_copy_format_count = tmem_copy_formats.size();

/// The lanes that a row goes to, counted from that of the address. shape: index of tmem_copy_shapes.
std::vector<int> tmem_copy_lanes(uint32_t shape, int row);

/// Rows that a shift moves as one, and its columns.
inline constexpr int shifted_rows = 32, shifted_columns = 8;

}  // namespace assay::layout
