// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "devices/emulator/machine/cluster.h"
#include "devices/emulator/machine/tmem.h"
#include "devices/emulator/readings.h"
#include "devices/emulator/tensor/smem_operand.h"
#include "devices/emulator/tensor/tcgen05_desc.h"

namespace assay::emulator {

/// The operands of one tcgen05.mma, as they come from registers.
struct MmaOperands {
  uint32_t d_address = 0, a_address = 0;  ///< tensor memory
  uint64_t a_descriptor = 0, b_descriptor = 0;
  uint32_t instruction = 0;  ///< descriptor
  bool enable_input_d = true;
  uint32_t scale_input_d = 0;
  std::optional<std::array<uint32_t, 8>> disabled_lanes;  ///< 4 words, 8 for a CTA pair
  uint32_t a_scale_address = 0, b_scale_address = 0;      ///< tensor memory, .block_scale
  std::optional<uint64_t> column_mask;                    ///< .ws; without the operand there is no mask
  uint32_t metadata_address = 0;                          ///< tensor memory, .sp
};

/// One tcgen05.mma, decoded.
struct Mma {
  MmaForm form;
  InstructionDescriptor descriptor;
  AccumulatorLayout layout;
  TmemAddress d, a;
  TmemAddress a_scales, b_scales;
  TmemAddress metadata;
  SmemMatrix a_matrix, b_matrix;  ///< of each CTA; rows of the CTA
  std::vector<uint8_t> zeroed;    ///< of each column of B, or empty
  bool reads_d = true;
  uint32_t scale_input_d = 0;
  std::optional<std::array<uint32_t, 8>> disabled_lanes;
  uint32_t cta_rank = 0;  ///< of the issuer in its cluster
  DeviceReadings readings;
  uint32_t tensor_columns = 512;  ///< of the target

  /// Ranks of the CTAs that work on it: the issuer's, or those of its pair.
  uint32_t first_rank() const { return form.cta_group == 2 ? cta_rank & ~1u : cta_rank; }
};

/// Decodes. Traps illegal_instruction with a sentence on what is wrong, misaligned_address for a lane that
/// the layout does not start at.
Mma decode_mma(const MmaForm& form, const MmaOperands& operands, uint32_t cta_rank, const Settings& settings);

/// Reads the operands, multiplies, writes the accumulator. Traps illegal_address where a matrix leaves shared
/// memory or what is allocated of tensor memory.
void perform_mma(const Mma& mma, Cluster& cluster);

/// What it reads and writes.
WorkAccess access_of(const Mma& mma);

}  // namespace assay::emulator
