// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/spec/arch.h"

/// What the probes offer a case: sizes that a generator must stay inside. Equal to those of kernels/params (a
/// test of suites/ compares them; generators may not include the kernels' headers).
namespace assay::rig {

inline constexpr uint64_t arena_bytes = 32ull << 20;
/// First byte of the strip where the words are borders of integers; it ends where the floats begin.
inline constexpr uint64_t arena_integers = arena_bytes / 4 * 3 - (1 << 20);
/// First byte of the arena's last quarter, where the words are float patterns (zeros, subnormals, ties, NaN).
inline constexpr uint64_t arena_floats = arena_bytes / 4 * 3;
inline constexpr uint32_t max_window_bytes = 216 * 1024;
/// Of it, whole pieces of 32 KiB where an architecture has less.
constexpr uint32_t room_of_windows(spec::Arch arch) {
  constexpr uint32_t piece = 32 << 10;
  return std::min(max_window_bytes, spec::row_of(arch).shared_bytes / piece * piece);
}
/// Shared address of a window where the probe's own variables take less than 1 KiB behind the 1 KiB that the
/// system has (CUDA C++ programming guide, compute capability 9.0 and 10.x): places at borders of the address
/// are drawn for it. Elsewhere they are places like any others.
inline constexpr uint32_t usual_window_address = 2048;
/// Of operands of wgmma and tcgen05.mma: up to the last byte of shared memory.
inline constexpr uint32_t max_operand_window_bytes = 226 * 1024;
/// CTAs of the largest cluster, which is not portable (cuda, cudaFuncAttributeNonPortableClusterSizeAllowed).
inline constexpr uint32_t largest_cluster = 16;
/// Of bulk copies: pieces of a copy, groups that a wait may leave, and units of 8 bytes that a record lists.
inline constexpr uint32_t most_bulk_pieces = 16, most_bulk_pending = 15, bulk_pool_units = 32;
/// Of programs on maps: output bytes before the first snapshot, and what they hold beside the map.
inline constexpr uint32_t map_area_bytes = 256;
inline constexpr uint8_t map_area_fill = 0xa5;
/// Largest output slot that a store case asks for.
inline constexpr uint32_t max_slot_bytes = 512 * 1024;

}  // namespace assay::rig

namespace assay::model {

/// The read-only bytes in global memory that loads read and that windows and slots are filled from,
/// rig::arena_bytes of them, made on first use. Three quarters are a mix of their place; before
/// rig::arena_floats lies a strip of borders of integers from rig::arena_integers on; behind it are words of
/// floats of every class. Equal to what the devices hold: a test of suites/ compares them, since this side
/// may not include the kernels' headers.
std::span<const std::byte> arena();

}  // namespace assay::model
