// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "devices/emulator/tensor/tcgen05_mma.h"

namespace assay::emulator {

/// What a data path asks for: a scale factor of the row of A or column of B that it works on.
struct ScaleRequest {
  const Mma* mma;
  bool is_a;
  uint32_t partition;  ///< of 32 lanes, the data path's own: its copy of the scales
  uint32_t line;       ///< row of the CTA, or column of D
  uint32_t id;         ///< of the descriptor
  uint32_t number;     ///< along K, within the instruction

  uint32_t position() const { return id + number; }
};

/// A byte of tensor memory; the column counts from that of the operand's address.
struct ScaleCell {
  uint32_t lane, column, byte;
};

/// (cutlass, tmem_sf_frg; ptx, layouts of scale factors in tensor memory)
ScaleCell scale_cell(const ScaleRequest& request);

/// Columns from the address on that the instruction may look at.
uint32_t scale_extent(const Mma& mma, bool is_a);

/// The scales of rows of A [first, first + count) that lie in one partition's lanes of D, or those of columns
/// of B as that partition has them; and whether any comes from a cell that nobody has written.
struct Scales {
  std::vector<uint8_t> codes;  ///< line after line
  std::vector<uint8_t> is_unwritten;
};
Scales read_scales(const Mma& mma, bool is_a, TensorMemory& tensor, uint32_t partition, uint32_t first,
                   uint32_t count, ScaleCell (*cell)(const ScaleRequest&));

}  // namespace assay::emulator
