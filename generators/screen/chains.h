// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "generators/tensor_copy/tiled_cases.h"
#include "reference/model/screen/chain.h"

namespace assay::gen {

/// What the operands of a chain toggle.
inline constexpr std::string_view screen_pattern_names[] = {
    "near one",      ///< signs and mantissas any, exponents of a factor of two or four
    "wide",          ///< exponents of a factor of 2^14
    "checkerboard",  ///< two words in turn, each the other's complement below the exponent
    "few",           ///< short mantissas: sums are exact for long
};

/// Cells: pattern x what is planted.
uint32_t screen_cells();
std::string screen_cell_name(uint32_t cell);
/// The pattern goes with the index, the same one for sixteen cases.
uint32_t screen_cell(const ScreenCase& c, uint64_t index);

/// Steps of a chain that cases have: 16, 32 or 64, of as many chains as make screen_work steps in all.
inline constexpr uint32_t screen_lengths = 3, screen_work = 1 << 15;
constexpr uint32_t screen_steps(uint32_t length) {
  return 16 << length;
}

/// Of every sixteen cases the first two plant a fault, one in a result and one in an operand.
void make_chain(const CaseId& id, ScreenKind kind, ScreenCase& c);

std::vector<ScreenCase> simpler(const ScreenCase& c);

}  // namespace assay::gen
