// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reference/spec/field.h"

namespace assay::layout {

/// Where elements of wgmma and mma.sync lie in the registers of a warp (wgmma: four warps, warp w of the
/// group has rows 16w to 16w + 15). Rows of A and columns of B are counted in bytes, low k in low bits; so
/// one formula serves every element width.
inline constexpr spec::Cite fragments_cite{"h200", "wgmma and mma.sync, registers"};

struct MatrixPlace {
  int row;     ///< of A, C or D; column of B
  int column;  ///< column of C or D; byte of the row of A or of the column of B
  friend bool operator==(const MatrixPlace&, const MatrixPlace&) = default;
};

/// C and D of 32 bits: register i of a thread, 0 to 127 of a warp group or 0 to 31 of a warp. mma.sync m16n8
/// has registers 0 to 3, wgmma N / 2.
MatrixPlace accumulator_place(int thread, int i);
/// C and D of f16: half 0 is the low one.
MatrixPlace half_accumulator_place(int thread, int i, int half);
/// Byte j of register r of A: a row of 32 bytes has 4 registers, of 16 bytes (mma.sync) 2. Sparse: kept
/// elements.
MatrixPlace a_place(int thread, int r, int j);
/// Byte j of register r of B of mma.sync m16n8; sparse ones have twice the registers.
MatrixPlace b_place(int lane, int r, int j);

/// Block-scaled mma.sync: the thread of four warps (row 0 to 63 of A) and the lane of a warp (column 0 to 7
/// of B) whose word holds the scales of the line. (ptx, block scaling for mma.sync; cutlass,
/// mma_traits_sm120.hpp) thread-id-a is 0 or 1, thread-id-b 0 to 3.
uint32_t scale_thread_of_row(uint32_t row, uint32_t thread_id);
uint32_t scale_lane_of_column(uint32_t column, uint32_t thread_id);

/// mma.sync on f64: row and k of register r of A, column and k of B. C and D as accumulator_place.
MatrixPlace f64_a_place(int lane, int r);
MatrixPlace f64_b_place(int lane, int r);

}  // namespace assay::layout
