// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "reference/numerics/arithmetic.h"
#include "reference/spec/cite.h"

namespace assay::numerics {

/// The arithmetic of one class of instruction forms.
struct Instruction {
  std::string_view family;  ///< "wgmma", "mma_sm90", "mma_sm100", "mma_sm120", "tcgen05"
  std::string_view kind;    ///< tcgen05: the .kind; others: the same word, or empty
  std::string_view types;   ///< of A and B, separated by blanks
  bool mixes;               ///< A and B may differ
  std::string_view d;
  std::array<int, 2> k;    ///< products per instruction, dense; unused entries 0
  std::string_view scale;  ///< format of the scale factors, or empty
  int scale_block;
  Arithmetic arithmetic;
  bool measured;  ///< confirmed on silicon of the family's own architecture; else expected
  spec::Cite cite;
};

std::span<const Instruction> instructions();

/// The row for a dot product of these formats; null when no instruction computes it.
const Instruction* find_instruction(std::string_view family, const Types& types, bool saturates);

}  // namespace assay::numerics
