// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iterator>
#include <string>

#include "kernels/forms/form.h"

/// Ways to write an instruction on tensor memory that mean the same: an axis of families of tcgen05.
namespace assay::forms {

enum class TensorWay : uint32_t {
  plain,
  below,  ///< addresses in tensor memory at offsets below a register
  above,
  predicated,  ///< beside another instruction that is not executed
};
inline constexpr Choice tensor_ways[] = {{"", 0}, {"", 1}, {"", 2}, {"", 3}};
inline constexpr uint32_t tensor_way_count = std::size(tensor_ways);
inline constexpr std::string_view registers_of_tensor_ways =
    ".reg .b32 r0; .reg .b32 r1; .reg .b32 r2; .reg .b32 r3; .reg .b32 r4; .reg .pred p1;";

/// The statement of an instruction without its semicolon, every address in tensor memory written
/// "[$operand]"; the first one is what it writes to.
std::string in_tensor_way(TensorWay way, std::string_view instruction);

}  // namespace assay::forms
