// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "devices/emulator/machine/program.h"

namespace assay::emulator {

/// mma.sync and mma.sp with a .kind, which sm_120a has.
std::optional<LoweringError> lower_mma_kind(const Opcode& opcode, Target target, Instruction& instruction);

}  // namespace assay::emulator
