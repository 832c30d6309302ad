// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "kernels/forms/form.h"

namespace assay::fuzz {

/// The instructions of kernels/forms that a target has, as statements with places for their operands
/// (fuzz/ptx_forms.h). Those of more than 64 registers are left out: an input has room for little else then.
std::span<const std::string> spelled_forms(forms::Targets target);

/// One form in that way.
std::string with_places(const forms::Forms& forms, uint32_t opcode);

}  // namespace assay::fuzz
