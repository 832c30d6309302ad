// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "devices/emulator/gpu.h"
#include "devices/emulator/ptx/lower.h"

namespace assay::emulator::ptx {

/// A kernel whose code may not be known.
struct TolerantKernel {
  Program program;
  std::optional<Diagnostic> refusal;  ///< why the program is nothing but a name and parameters
};

/// As lower_kernel; what that throws is the refusal of this kernel alone.
TolerantKernel lower_tolerantly(const ModuleSyntax& module, const FunctionSyntax& kernel,
                                const Addresses& addresses, Target target);

/// Everything that is refused in the kernels of a module and in what they call, by line: what is refused is
/// left out and the rest looked at again. Of a body that cannot be parsed, its first error.
std::vector<Diagnostic> all_refusals(ModuleSyntax module, const Addresses& addresses, Target target);

/// The text of a line (1-based) of PTX, without blanks around it, and what the .loc before it says.
SourcePlace find_place(std::string_view ptx, uint32_t line);

}  // namespace assay::emulator::ptx
