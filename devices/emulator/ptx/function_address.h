// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "devices/emulator/ptx/syntax.h"

namespace assay::emulator::ptx {

/// What a kernel finds as the address of a function of the module: no memory lies there. 0: the module has no
/// such function.
inline uint64_t function_address(const ModuleSyntax& module, std::string_view name) {
  constexpr uint64_t base = uint64_t{1} << 58, distance = 16;
  for (size_t i = 0; i < module.functions.size(); ++i)
    if (module.functions[i].name == name) return base + (i + 1) * distance;
  return 0;
}

}  // namespace assay::emulator::ptx
