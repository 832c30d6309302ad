// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/forms/families.h"

/// For tests of families.
namespace assay::forms {

inline std::vector<std::string_view> names_of(const Forms& forms) {
  std::vector<std::string_view> names;
  for (const Operand& operand : forms.operands()) names.push_back(operand.name);
  return names;
}
/// A form with the names of its family's operands in place of registers.
inline std::string spelled(const Forms& forms, uint32_t opcode) {
  return forms.spell(opcode, names_of(forms));
}

}  // namespace assay::forms
