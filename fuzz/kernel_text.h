// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "kernels/forms/form.h"

namespace assay::fuzz {

/// A PTX module for sm_100a with one kernel `k(.param .u64 p)`, made from bytes: each takes a statement of
/// the supported subset or an operand, so that a changed byte changes one of them. Registers are the only
/// state between statements; loops, branches, barriers, memory and asynchronous copies occur. The text always
/// loads.
std::string kernel_text(std::span<const uint8_t> bytes);

/// How many statements there are to choose from, and which a text took.
size_t statement_count();
size_t statement_of(uint8_t byte);

/// The instructions of kernels/forms that a target has, as statements with places for their operands
/// (fuzz/ptx_forms.h). Those of more than 64 registers are left out: an input has room for little else then.
std::span<const std::string> spelled_forms(forms::Targets target);

/// One form in that way.
std::string with_places(const forms::Forms& forms, uint32_t opcode);

}  // namespace assay::fuzz
