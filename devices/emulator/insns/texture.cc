// SPDX-License-Identifier: Apache-2.0
// Instructions of textures and surfaces (ptx, Texture Instructions; Surface Instructions): there are none
// here, and the launch that needs one is told so.
#include "devices/emulator/machine/instruction.h"

namespace assay::emulator::insn_texture {
namespace {

std::optional<LoweringError> refuse(const Opcode& opcode, Target, Instruction&) {
  return LoweringError{Diagnostic::Kind::unknown_instruction,
                       "'" + opcode.text +
                           "': CUDA arrays, textures and surfaces are not emulated; the kernel would have to "
                           "read plain global memory"};
}

const RegisteredFamily tex("tex", refuse);
const RegisteredFamily tld4("tld4", refuse);
const RegisteredFamily txq("txq", refuse);
const RegisteredFamily istypep("istypep", refuse);
const RegisteredFamily suld("suld", refuse);
const RegisteredFamily sust("sust", refuse);
const RegisteredFamily sured("sured", refuse);
const RegisteredFamily suq("suq", refuse);

}  // namespace
}  // namespace assay::emulator::insn_texture
