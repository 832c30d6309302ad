// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "devices/emulator/machine/program.h"
#include "devices/emulator/ptx/lexer.h"
#include "devices/emulator/ptx/syntax.h"

namespace assay::emulator::ptx {

/// A legal looking instruction that the emulator does not have; caught once, in Gpu::load.
struct UnknownInstruction {
  uint32_t line;
  std::string message;
  std::string kernel;
  bool is_of_other_target = false;  ///< another of the emulated devices has it
};

/// Variables of the global and const spaces, placed in memory: variable_key() to address.
std::string variable_key(const Variable& variable);
using Addresses = std::map<std::string, uint64_t, std::less<>>;

/// Lowers one kernel with all functions that it reaches. Throws SyntaxError or UnknownInstruction.
Program lower_kernel(const ModuleSyntax& module, const FunctionSyntax& kernel, const Addresses& addresses,
                     Target target);

}  // namespace assay::emulator::ptx
