// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "devices/emulator/gpu.h"
#include "devices/emulator/machine/instruction.h"

namespace assay::emulator {

/// A register column that holds the same values for the whole life of a warp, filled when the warp starts.
struct EnvironmentColumn {
  enum class Kind : uint8_t {
    local_address,     ///< of the lane, plus `offset`
    shared_address,    ///< of the CTA's static block, plus `offset`
    dynamic_shared,    ///< of the CTA's dynamic block
    param_address,     ///< of the kernel's parameters, plus `offset`
    special_register,  ///< `name`, one that does not change
  };
  Kind kind;
  uint32_t column;
  uint64_t offset = 0;
  std::string name;
};

/// A parameter or return value of a .func, or the operand of a call that stands for it.
struct CallSlot {
  bool is_register = false;
  Column column;        ///< is_register
  uint32_t offset = 0;  ///< else: in local memory
  uint32_t bytes = 0;
};

/// A .func that a kernel reaches.
struct ProgramFunction {
  std::string name;
  uint32_t entry = 0;                               ///< index of its first instruction
  uint32_t first_register = 0, register_count = 0;  ///< its block of the register file
  uint32_t local_begin = 0, local_bytes = 0;        ///< its block of local memory
  std::vector<CallSlot> params, returns;
};

/// What a call instruction carries.
struct CallData {
  uint32_t function = 0;  ///< index in Program::functions
  Column target;          ///< of an indirect call: holds the function's address
  std::vector<CallSlot> arguments, results;
};

/// A kernel, lowered: the entry first, then every function that it reaches.
struct Program {
  std::string name;
  std::vector<Instruction> code;
  std::vector<uint64_t> constants;  ///< 32 equal lanes each
  uint32_t registers = 0;           ///< columns of the register file
  /// For each column, the 32-bit registers that a GPU needs for it: none for predicates, special registers
  /// and what else is not declared as a register. Columns past its end need none.
  std::vector<uint8_t> register_words;
  std::vector<EnvironmentColumn> environment;
  std::vector<ProgramFunction> functions;  ///< .funcs; [i] is called by CallData::function
  std::vector<std::pair<uint64_t, uint32_t>> function_addresses;  ///< for indirect calls: address, index
  uint32_t local_bytes = 0;                                       ///< of a thread
  bool recurses = false;                                          ///< a function may call itself
  uint32_t shared_bytes = 0;                                      ///< static block
  std::vector<ParamDeclaration> params;
  uint32_t param_bytes = 0;
  std::array<uint32_t, 3> max_threads{}, required_threads{}, required_cluster{};  ///< 0: not given
  bool is_explicit_cluster = false;
  bool names_tensor_maps = false;  ///< an instruction is of tensor copies or tensor maps
  bool uses_wgmma = false;         ///< an instruction is of wgmma
  std::vector<std::pair<uint64_t, uint64_t>>
      constant_ranges;  ///< .const variables of the module: address, bytes
  bool is_constant(uint64_t address) const {
    for (const auto& [begin, bytes] : constant_ranges)
      if (address >= begin && address - begin < bytes) return true;
    return false;
  }
};

}  // namespace assay::emulator
