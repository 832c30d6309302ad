// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "devices/emulator/machine/cluster.h"
#include "devices/emulator/machine/program.h"

namespace assay::emulator {

struct SpecialRegisterRow;     ///< special_registers.cc
struct SpecialRegisterVector;  ///< likewise

/// A special register that does not change while a warp runs.
struct SpecialRegister {
  const SpecialRegisterRow* row = nullptr;
  const SpecialRegisterVector* vector = nullptr;  ///< its `component`; of neither: zero
  size_t component = 0;
};

/// Reads special registers that change while a warp runs (%clock64, %globaltimer, ...) into operand 0; null
/// if `name` is none of them.
Execute find_changing_special_register(std::string_view name);

/// True for the special registers that hold one value for the life of a warp (%tid.x, %laneid, ...).
bool is_constant_special_register(std::string_view name);

/// Of a name with its '%' and component. Nothing the caller can rely on if is_constant_special_register(name)
/// is false.
SpecialRegister find_special_register(std::string_view name);

/// Its values for the 32 lanes of a warp.
void read_special_register(const SpecialRegister& which, const Warp& warp, uint64_t* lanes);

}  // namespace assay::emulator
