// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "devices/emulator/machine/program.h"

namespace assay::emulator {

/// Whether a thread that has executed instruction `from` may come to `to` (both by index in the code) without
/// executing `avoided` between. A call counts as its return; where a return of a function leads is not asked.
bool may_reach(const Program& program, uint32_t from, uint32_t to, uint32_t avoided = ~0u);
/// Whether it comes to `to` before it exits, on every way.
bool always_reaches(const Program& program, uint32_t from, uint32_t to);

/// Whether all threads of a warp execute it as one (ptx: bar is barrier.aligned).
inline bool is_aligned(const Instruction& instruction) {
  const Opcode& opcode = *instruction.opcode;
  return opcode.has("aligned") || (opcode.base == "bar" && !opcode.has("warp"));
}

}  // namespace assay::emulator
