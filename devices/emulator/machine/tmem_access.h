// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "devices/emulator/machine/step.h"
#include "devices/emulator/machine/tmem.h"

namespace assay::emulator {

/// Whether an operand is an address in tensor memory: a 32-bit register, with an offset if any, in brackets.
/// (ptxas) Neither a number nor a 64-bit register is one.
inline bool is_tensor_address(const Operand& operand) {
  return operand.kind == Operand::Kind::address && operand.items.empty() && operand.bits == 32;
}

/// The tensor memory of a CTA; made when first asked for.
TensorMemory& tensor_memory(Cta& cta);

/// Makes registers that a tcgen05.ld still has to bring arrive before an instruction that names them: true
/// register dependencies hold without a wait (ptx, tcgen05 memory consistency model: register dependencies).
void settle_registers(Warp& warp, const Instruction& instruction);

/// Does what the warp's transfers of one direction still have to do.
void finish_transfers(Warp& warp, std::vector<TmemTransfer>& transfers, size_t count = SIZE_MAX);

}  // namespace assay::emulator
