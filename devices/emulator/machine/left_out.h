// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "devices/emulator/machine/program.h"

namespace assay::emulator {

/// Whether the instruction is there to synchronise and gives a thread nothing else: a fence, a wait, a
/// barrier, an arrival, a commit. A kernel without it runs, and may do something else.
bool only_synchronises(const Instruction& instruction);

/// The instruction does nothing from now on; a test succeeds.
void leave_out(Instruction& instruction);

}  // namespace assay::emulator
