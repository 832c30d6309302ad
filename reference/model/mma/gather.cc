// SPDX-License-Identifier: Apache-2.0
#include "reference/model/mma/gather.h"

#include <cstring>

namespace assay::model {
namespace {

/// The 16 bytes that one step of a layout leads to.
struct Cell {
  uint64_t low, high;
  uint32_t bits(uint32_t at, uint32_t width) const {
    uint64_t value = at < 64 ? low >> at : high >> (at - 64);
    if (at < 64 && at + width > 64) value |= high << (64 - at);
    return static_cast<uint32_t>(width == 32 ? value & 0xffffffff : value & ((uint64_t{1} << width) - 1));
  }
};

Cell cell_at(std::span<const std::byte> window, uint32_t byte) {
  Cell cell;
  std::memcpy(&cell.low, window.data() + byte, 8);
  std::memcpy(&cell.high, window.data() + byte + 8, 8);
  return cell;
}

/// K-major rows of elements that no byte is kept for: element k is bits k * width and up of its row.
void gather_packed(const spec::SmemMatrix& matrix, const layout::SmemReadings& readings,
                   std::span<const std::byte> window, int first, int count, int k_count, uint32_t width,
                   std::span<uint32_t> codes) {
  const layout::LaidMatrix laid(matrix, {8, layout::Packing::plain, false}, readings);
  const auto byte = [&](int mn, uint32_t at) {
    return std::to_integer<uint32_t>(window[laid.place(static_cast<uint32_t>(mn), at).byte]);
  };
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < k_count; ++k) {
      const uint32_t bit = static_cast<uint32_t>(k) * width;
      uint32_t word = byte(first + i, bit / 8);
      if (bit % 8 + width > 8) word |= byte(first + i, bit / 8 + 1) << 8;
      codes[static_cast<size_t>(i) * k_count + k] = word >> bit % 8 & ((1u << width) - 1);
    }
}

}  // namespace

void gather_shared(const spec::SmemMatrix& matrix, const layout::SmemOperand& operand,
                   const layout::SmemReadings& readings, std::span<const std::byte> window, int first,
                   int count, int k_count, std::span<uint32_t> codes) {
  const auto width = static_cast<uint32_t>(operand.element_bits);
  if (operand.packing == layout::Packing::plain && width < 8)
    return gather_packed(matrix, readings, window, first, count, k_count, width, codes);
  const int per_cell = operand.packing == layout::Packing::plain ? 128 / operand.element_bits : 16;
  const layout::LaidMatrix laid(matrix, operand, readings);
  const auto address = [&](int mn, int k) {
    return laid.swizzled(laid.linear_cell(static_cast<uint32_t>(mn), static_cast<uint32_t>(k)));
  };
  if (!operand.mn_major) {
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < k_count; k += per_cell) {
        const Cell cell = cell_at(window, address(first + i, k));
        for (int j = 0; j < per_cell && k + j < k_count; ++j)
          codes[static_cast<size_t>(i) * k_count + k + j] =
              cell.bits(static_cast<uint32_t>(j) * width, width);
      }
    return;
  }
  for (int k = 0; k < k_count; ++k)
    for (int i = 0; i < count;) {
      const int inside = (first + i) % per_cell;
      const Cell cell = cell_at(window, address(first + i - inside, k));
      for (int j = inside; j < per_cell && i < count; ++j, ++i)
        codes[static_cast<size_t>(i) * k_count + k] = cell.bits(static_cast<uint32_t>(j) * width, width);
    }
}

}  // namespace assay::model
