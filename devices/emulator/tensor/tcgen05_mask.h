// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "devices/emulator/readings.h"

namespace assay::emulator {

/// A decoded zero-column mask of tcgen05.mma.ws.
struct ColumnMask {
  std::array<uint32_t, 4> start_count{};
  std::array<bool, 4> starts_zeroed{};
  bool bit_39 = false;
  uint32_t skip_span = 1, use_span = 1;  ///< columns
  uint32_t shift = 0;                    ///< columns
};

/// The mask, or a sentence on the field that is wrong.
std::variant<ColumnMask, std::string> decode_column_mask(uint64_t word);

/// One entry for each column of B: 1 where it counts as zeros. An instruction of M rows has 128 / M masks for
/// equal parts of the N columns (ptx, Zero-Column Mask Descriptor).
std::vector<uint8_t> zeroed_columns(const ColumnMask& mask, uint32_t m, uint32_t n,
                                    const DeviceReadings& readings);

}  // namespace assay::emulator
