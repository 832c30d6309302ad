// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "devices/emulator/machine/instruction.h"

namespace assay::emulator {

/// call, with CallData; ret, from a .func or from the kernel.
uint32_t execute_call(Step& step);
/// call of the function whose address is in CallData::target.
uint32_t execute_indirect_call(Step& step);
uint32_t execute_return(Step& step);

/// Functions that the device runtime provides (vprintf, __assertfail, malloc, free), called with operands in
/// CallData::arguments; null if there is none of that name.
Execute find_builtin(std::string_view name);

}  // namespace assay::emulator
