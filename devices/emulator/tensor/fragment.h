// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Which elements of a matrix the registers of a warp hold, for mma.sync with rows of 16 or 32 bytes and, with
// 16 rows a warp, for wgmma (H200: sections 6 and 10 of the descriptor's measurements; ptx, matrix
// fragments). g = lane / 4, q = lane mod 4.
namespace assay::emulator {

struct FragmentCell {
  uint32_t row, column;
};

/// C and D of 32 bits, m16: register i.
constexpr FragmentCell accumulator_cell(uint32_t lane, uint32_t i) {
  return {lane / 4 + 8 * (i / 2 % 2), 8 * (i / 4) + 2 * (lane % 4) + i % 2};
}
/// C and D of f16, m16: register i, half 0 (low) or 1.
constexpr FragmentCell half_accumulator_cell(uint32_t lane, uint32_t i, uint32_t half) {
  return {lane / 4 + 8 * (i % 2), 8 * (i / 2) + 2 * (lane % 4) + half};
}
/// C and D of 32 bits, m8: register i.
constexpr FragmentCell accumulator_cell_m8(uint32_t lane, uint32_t i) {
  return {lane / 4, 2 * (lane % 4) + i};
}
/// A, m16: register i holds four bytes of the row, from byte `column` on, the lowest first.
constexpr FragmentCell a_bytes(uint32_t lane, uint32_t i) {
  return {lane / 4 + 8 * (i % 2), 4 * (lane % 4) + 16 * (i / 2)};
}
/// B: register i holds four bytes of column `row` of B, from byte `column` on.
constexpr FragmentCell b_bytes(uint32_t lane, uint32_t i) {
  return {lane / 4, 4 * (lane % 4) + 16 * i};
}

/// Element k of a row of little-endian bytes with `bits` (4, 8, 16 or 32) an element.
inline uint32_t row_element(const uint8_t* row, uint32_t bits, uint32_t k) {
  if (bits == 4) return row[k / 2] >> (k % 2 * 4) & 0xfu;
  uint32_t code = 0;
  for (uint32_t i = 0; i < bits / 8; ++i) code |= static_cast<uint32_t>(row[k * (bits / 8) + i]) << (8 * i);
  return code;
}

}  // namespace assay::emulator
