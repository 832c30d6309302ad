// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace assay::emulator {

/// Largest offset + 1, in bytes, that a CTA's window of shared memory can have: 227 KiB for the program
/// beside the reserved KiB (CUDA C++ Programming Guide, compute capability 9.0 and 10.0). No copy may need
/// more (H200: faults ADR).
inline constexpr uint32_t shared_window_bytes = 228 * 1024;

}  // namespace assay::emulator
