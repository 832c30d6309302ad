// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iterator>
#include <string>

#include "kernels/forms/form.h"

/// Ways to write a copy that mean the same: an axis of the families of copies.
namespace assay::forms {

enum class Way : uint32_t {
  plain,
  evict_first,   ///< .L2::cache_hint of the family's operand; the others' policies are made in front
  unnamed_mode,  ///< without the word .tile
  below,         ///< shared memory at offsets below a register
  above,
  predicated,  ///< beside another copy that is not executed
  evict_last,
  half_of_accesses,  ///< of a policy with two priorities
  immediate,         ///< an operand is written out: the mask of a multicast of a tensor, 3; else the first
                     ///< coordinate, 0; the size of other copies, 16
};
inline constexpr Choice ways[] = {{"", 0}, {"", 1}, {"", 2}, {"", 3}, {"", 4},
                                  {"", 5}, {"", 6}, {"", 7}, {"", 8}};
inline constexpr std::string_view registers_of_ways =
    ".reg .b64 w0; .reg .b64 w1; .reg .b32 r0; .reg .b32 r1; .reg .pred p1;";

constexpr bool has_hint(Way way) {
  return way == Way::evict_first || way == Way::evict_last || way == Way::half_of_accesses;
}

/// The statement of a copy that is written with <hint> and <policy>, with <tile> for an address in shared
/// memory, <global> for that of $global in global memory and, where it signals, <barrier> for that of $bar.
/// `tile`: the operand of that address; `known`: one of 64 bits that is never 0.
std::string in_way(Way way, std::string_view copy, std::string_view tile, std::string_view known);
/// For <hint> and <policy>.
std::string_view hint_of(Way way);
std::string_view policy_of(Way way);

// Ways to write an instruction on tensor memory that mean the same: an axis of families of tcgen05.

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
