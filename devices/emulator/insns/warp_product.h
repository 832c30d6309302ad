// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "devices/emulator/machine/program.h"
#include "devices/emulator/machine/step.h"
#include "devices/emulator/tensor/fragment.h"

/// What matrix instructions of a warp are alike in: mma.sync, the same with a .kind, and wmma.
namespace assay::emulator {

/// mma.sync and mma.sp with a .kind, which sm_120a has.
std::optional<LoweringError> lower_mma_kind(const Opcode& opcode, Target target, Instruction& instruction);

/// All lanes take part (.sync.aligned): those that are missing are waited for, those that have exited never
/// come. False: wait.
bool is_whole_warp(const Step& step);

/// Whether an operand is so many registers of so many bits, or constants where it is no destination.
bool is_fragment(const Operand& operand, uint32_t registers, uint32_t bits, bool is_destination);

/// Calls f(lane, register, half, cell) for every element of C and D of m rows in 32-bit registers, two halves
/// to one where they are halves.
template <typename F>
void for_accumulators(uint32_t registers, bool is_half, uint32_t m, F f) {
  for (uint32_t i = 0; i < registers; ++i)
    for (uint32_t lane = 0; lane < warp_lanes; ++lane)
      for (uint32_t half = 0; half < (is_half ? 2u : 1u); ++half)
        f(static_cast<int>(lane), i, half,
          is_half  ? half_accumulator_cell(lane, i, half)
          : m == 8 ? accumulator_cell_m8(lane, i)
                   : accumulator_cell(lane, i));
}

}  // namespace assay::emulator
