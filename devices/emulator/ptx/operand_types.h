// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "devices/emulator/machine/instruction.h"

namespace assay::emulator::ptx {

/// The type ("s32", "f64", ...) that a number as operand i of an instruction has; empty if the opcode names
/// none.
std::string immediate_type(const Opcode& opcode, size_t i);

/// An integer or real literal as the bits of a register of the type. A real in an integer or untyped place
/// keeps its pattern; between f32 and f64 it is converted.
uint64_t integer_immediate(uint64_t value, const std::string& type);
uint64_t real_immediate(uint64_t pattern, uint8_t pattern_bits, const std::string& type);

/// True if a mov packs, unpacks or moves 128 bits, which is no lane operation.
bool needs_machine_move(const Opcode& opcode, const std::vector<Operand>& operands);

}  // namespace assay::emulator::ptx
