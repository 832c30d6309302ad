// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "devices/emulator/ptx/lexer.h"
#include "devices/emulator/ptx/syntax.h"

namespace assay::emulator::ptx {

/// "add.sat.s32" to base and qualifiers.
Opcode make_opcode(std::string_view text);

/// PTX text to syntax. Throws SyntaxError; a tolerant parser notes in a function what is wrong with its body
/// and goes on.
ModuleSyntax parse(std::string_view text, bool is_tolerant = false);

}  // namespace assay::emulator::ptx
