#include "reference/layout/canonical.h"

namespace assay::layout {
namespace {

/// Bits that one element takes when rows are laid out: padded ones count a byte.
uint32_t stored_bits(const SmemOperand& operand) {
  return operand.packing == Packing::plain ? static_cast<uint32_t>(operand.element_bits) : 8;
}

/// Byte index along the contiguous dimension, of the start of the element or of its byte for nibbles.
uint32_t along(const SmemOperand& operand, uint32_t mn, uint32_t k) {
  return (operand.mn_major ? mn : k) * stored_bits(operand) / 8;
}

uint32_t k_major(const spec::SmemMatrix& matrix, uint32_t mn, uint32_t x, const SmemReadings& readings) {
  const uint32_t width = matrix.swizzle->width;
  const uint32_t rows = (mn / 8) * matrix.stride_offset + (mn % 8) * width;
  const bool wide_32B = width == 32 && readings.leading_offset_in_wide_32B;
  if (width == 16 || wide_32B) return matrix.start + rows + x / width * matrix.leading_offset + x % width;
  if (matrix.leading_is_absolute) {
    const uint32_t in_row = matrix.start % 128 + x;
    if (in_row >= 128) return matrix.leading_offset + rows + in_row - 128;
  }
  return matrix.start + rows + x;
}

uint32_t mn_major(const spec::SmemMatrix& matrix, uint32_t k, uint32_t x, const SmemReadings& readings) {
  const uint32_t width = matrix.swizzle->width;
  const uint32_t lines = matrix.swizzle->lines == 4 ? readings.lines_of_atom_32B : matrix.swizzle->lines;
  // Without swizzle the two strides change places.
  const uint32_t per_block = width == 16 ? matrix.stride_offset : matrix.leading_offset;
  const uint32_t per_lines = width == 16 ? matrix.leading_offset : matrix.stride_offset;
  return matrix.start + x / width * per_block + x % width + k / lines * per_lines + k % lines * width;
}

}  // namespace

uint32_t linear_cell(const spec::SmemMatrix& matrix, const SmemOperand& operand, uint32_t mn, uint32_t k,
                     const SmemReadings& readings) {
  const uint32_t x = along(operand, mn, k) / 16 * 16;
  return operand.mn_major ? mn_major(matrix, k, x, readings) : k_major(matrix, mn, x, readings);
}

uint32_t swizzled(const spec::SmemMatrix& matrix, uint32_t linear, const SmemReadings& readings) {
  const uint32_t line = linear >> 7, base = matrix.base_offset;
  const uint32_t phase = readings.base_offset == SmemReadings::BaseOffset::subtracted     ? line - base
                         : readings.base_offset == SmemReadings::BaseOffset::exclusive_or ? line ^ base
                                                                                          : line + base;
  return linear ^ (phase & matrix.swizzle->phase_mask) << matrix.swizzle->shift;
}

SmemPlace smem_place(const spec::SmemMatrix& matrix, const SmemOperand& operand, uint32_t mn, uint32_t k,
                     const SmemReadings& readings) {
  const uint32_t cell = swizzled(matrix, linear_cell(matrix, operand, mn, k, readings), readings);
  const uint32_t index = operand.mn_major ? mn : k;
  const uint32_t bits = static_cast<uint32_t>(operand.element_bits);
  const uint32_t per_cell = operand.packing == Packing::plain ? 128 / bits : 16;
  const uint32_t bit = index % per_cell * bits;
  return {cell + bit / 8, static_cast<int>(bit % 8)};
}

}  // namespace assay::layout
