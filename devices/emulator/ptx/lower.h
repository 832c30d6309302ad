// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "devices/emulator/gpu.h"
#include "devices/emulator/machine/program.h"
#include "devices/emulator/ptx/parser.h"

namespace assay::emulator::ptx {

/// What a kernel finds as the address of a function of the module: no memory lies there. 0: the module has no
/// such function.
inline uint64_t function_address(const ModuleSyntax& module, std::string_view name) {
  constexpr uint64_t base = uint64_t{1} << 58, distance = 16;
  for (size_t i = 0; i < module.functions.size(); ++i)
    if (module.functions[i].name == name) return base + (i + 1) * distance;
  return 0;
}

/// The type ("s32", "f64", ...) that a number as operand i of an instruction has; empty if the opcode names
/// none.
std::string immediate_type(const Opcode& opcode, size_t i);

/// An integer or real literal as the bits of a register of the type. A real in an integer or untyped place
/// keeps its pattern; between f32 and f64 it is converted.
uint64_t integer_immediate(uint64_t value, const std::string& type);
uint64_t real_immediate(uint64_t pattern, uint8_t pattern_bits, const std::string& type);

/// True if a mov packs, unpacks or moves 128 bits, which is no lane operation.
bool needs_machine_move(const Opcode& opcode, const std::vector<Operand>& operands);

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

/// What .loc and .file say of the lines of a text, which has to stay.
class Places {
 public:
  /// File, line and column.
  using Location = std::array<uint32_t, 3>;
  explicit Places(std::string_view ptx);
  /// The text of a line (1-based) of PTX, without blanks around it, and what the .loc before it says.
  SourcePlace find(uint32_t line) const;

 private:
  std::string_view ptx_;
  std::map<uint32_t, std::string> files_;
  std::map<uint32_t, Location> locations_;                    ///< by line
  std::map<Location, std::map<uint32_t, Location>> callers_;  ///< of inlined code, by line
};

/// The same of one line.
inline SourcePlace find_place(std::string_view ptx, uint32_t line) {
  return Places(ptx).find(line);
}

}  // namespace assay::emulator::ptx
