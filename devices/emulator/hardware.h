// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "devices/emulator/gpu.h"

namespace assay::emulator {

/// Enough for one cluster of the largest size with a CTA on each.
inline constexpr uint32_t multiprocessor_count = 16;

// Of a multiprocessor of compute capability 9.0, 10.x or 11.0 (CUDA Programming Guide, Technical
// Specifications per Compute Capability).
inline constexpr uint32_t registers_per_multiprocessor = 65536;  ///< of 32 bits; a CTA may have as many
inline constexpr size_t shared_reserved_per_block = 1024;
inline constexpr uint32_t most_registers_per_thread = 255;

/// Of shared memory, what a CTA may have.
constexpr uint32_t shared_of_cta(Target target) {
  return facts_of(target).shared_bytes - static_cast<uint32_t>(shared_reserved_per_block);
}

/// Registers that a warp takes where each of its threads needs so many: eight of each thread at a time (H200:
/// 127 let 512 threads run and 513 be refused).
constexpr uint32_t registers_of_warp(uint32_t of_thread) {
  return (of_thread + 7) / 8 * 8 * 32;
}

/// CTAs that fit on a multiprocessor at once; 0: not even one does.
constexpr uint32_t resident_ctas(Target target, uint64_t threads, uint32_t registers_of_thread,
                                 uint64_t shared_bytes) {
  const uint64_t warps = (threads + 31) / 32;
  uint64_t fit = facts_of(target).most_ctas;
  const auto limit = [&](uint64_t there_are, uint64_t each) {
    if (each != 0 && there_are / each < fit) fit = there_are / each;
  };
  limit(facts_of(target).most_threads, warps * 32);
  limit(registers_per_multiprocessor, warps * registers_of_warp(registers_of_thread));
  limit(facts_of(target).shared_bytes, shared_bytes + shared_reserved_per_block);
  return static_cast<uint32_t>(fit);
}

/// No copy may need more shared memory: 227 KiB for the program beside the reserved KiB (H200: faults ADR;
/// CUDA C++ Programming Guide, compute capability 9.0 and 10.0). Whether more is allowed where a CTA has more
/// is not known.
inline constexpr uint32_t most_copied_bytes = 228 * 1024;

}  // namespace assay::emulator
