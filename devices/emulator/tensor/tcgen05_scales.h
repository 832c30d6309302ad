// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "devices/emulator/tensor/tcgen05_mma.h"
#include "devices/emulator/tensor/tcgen05_steps.h"

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

/// What a data path asks for: a code of the metadata of a row of A.
struct MetadataRequest {
  const Mma* mma;
  uint32_t row;     ///< of the CTA
  uint32_t group;   ///< of lanes: the data path's own
  uint32_t number;  ///< codes along K, within the instruction
};

/// Four bits of tensor memory; the column counts from that of the operand's address.
struct MetadataCell {
  uint32_t lane, column, nibble;
};

/// (cutlass, tmem_e_frg and tmem_e_frg_ws; ptx, sparsity metadata in tensor memory)
MetadataCell metadata_cell(const MetadataRequest& request);

/// Elements of B along K for which there is a code, and kept elements of A that it places.
struct SparseChunk {
  uint32_t elements, kept;
};
SparseChunk sparse_chunk(const InstructionDescriptor& descriptor);

/// The element of its chunk that kept element `number` of the chunk meets, where elements are met whole. In
/// tf32 any code is taken for places of 16 bits, as on sm_90: meet_halves() has them.
uint32_t met_element(const InstructionDescriptor& descriptor, uint32_t code, uint32_t number);

/// Columns from the address on that the instruction may look at.
uint32_t metadata_extent(const Mma& mma);

/// The codes of a row as a group of lanes has them, and whether any comes from a cell that nobody has
/// written.
struct RowMetadata {
  std::vector<uint8_t> codes;
  bool is_unwritten = false;
};
RowMetadata read_metadata(const Mma& mma, TensorMemory& tensor, uint32_t group, uint32_t row,
                          const Tcgen05Steps& steps);

using MetElement = uint32_t (*)(const InstructionDescriptor&, uint32_t code, uint32_t number);

/// Which of the descriptor.b_k() codes of a column of B the kept elements of a row meet. Not of tf32.
void met_places(const InstructionDescriptor& descriptor, std::span<const uint8_t> codes, MetElement element,
                std::span<uint16_t> met);
/// Of tf32: of each column of B what the kept elements of a row meet, put together from halves.
void meet_halves(const InstructionDescriptor& descriptor, std::span<const uint8_t> codes,
                 std::span<const uint32_t> b, MetElement element, std::span<uint32_t> met);

}  // namespace assay::emulator
