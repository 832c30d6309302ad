// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "devices/emulator/machine/program.h"

namespace assay::emulator {

/// The 32-bit registers of a thread that hold values at once where most do. What ptxas allots comes from
/// another order of the instructions and may be a few more or fewer; it is not below this for kernels that
/// keep what they loaded. A called function's are not added to its caller's.
uint32_t live_registers(const Program& program);

}  // namespace assay::emulator
