#pragma once

#include <cstdint>

/// What the probes offer a case: sizes that a generator must stay inside. Equal to those of kernels/params (a
/// test of suites/ compares them; generators may not include the kernels' headers).
namespace assay::gen::rig {

inline constexpr uint64_t arena_bytes = 32ull << 20;
/// First byte of the arena's last quarter, where the words are float patterns (zeros, subnormals, ties, NaN).
inline constexpr uint64_t arena_floats = arena_bytes / 4 * 3;
inline constexpr uint32_t max_window_bytes = 216 * 1024;
/// Of operands of wgmma and tcgen05.mma: up to the last byte of shared memory.
inline constexpr uint32_t max_operand_window_bytes = 226 * 1024;
/// Largest output slot that a store case asks for.
inline constexpr uint32_t max_slot_bytes = 512 * 1024;

}  // namespace assay::gen::rig
