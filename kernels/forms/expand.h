// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "kernels/forms/families.h"
#include "kernels/forms/form.h"

namespace assay::forms {

/// PTX text with every statement `trap; // assay.forms ...;` replaced by the forms that one target
/// has, its .target directive by that target, and its .version by the least that has the target, these forms
/// and, `ptx`, what stands outside of them. An opcode that the target has no form of traps; that of a
/// family of one form is not looked at. Throws std::invalid_argument, which names the line, for a family that
/// does not exist or a wrong number of operands.
std::string expand_ptx(std::string_view text, Targets target, uint8_t ptx,
                       std::span<const Forms> among = all_forms());

/// The same in the text of a CUDA source, where the statements stand in string literals, with the needed
/// forms alone.
std::string expand_source(std::string_view text, const Needed& needed);

}  // namespace assay::forms
