// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/tmem_access.h"

#include <algorithm>
#include <utility>

#include "devices/emulator/machine/strict.h"

namespace assay::emulator {
namespace {

bool has(const TmemTransfer& transfer, Column column) {
  return std::binary_search(transfer.columns.begin(), transfer.columns.end(), column.index);
}

bool names(const TmemTransfer& transfer, const Operand& operand) {
  if (operand.column.exists() && has(transfer, operand.column)) return true;
  return std::any_of(operand.items.begin(), operand.items.end(),
                     [&](const Operand& item) { return names(transfer, item); });
}

bool is_load(const Instruction& instruction) {
  return instruction.opcode != nullptr && instruction.opcode->base == "tcgen05" &&
         instruction.opcode->has("ld");
}

bool names(const TmemTransfer& transfer, const Instruction& instruction) {
  // A call may take registers along, and a return may bring some back.
  if (instruction.flow == Instruction::Flow::control) return true;
  if (instruction.lane_op != nullptr) {
    for (int i = 0; i < instruction.sources; ++i)
      if (has(transfer, instruction.s[i])) return true;
    return has(transfer, instruction.d) || (instruction.d2.exists() && has(transfer, instruction.d2));
  }
  return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                     [&](const Operand& operand) { return names(transfer, operand); });
}

}  // namespace

TensorMemory& tensor_memory(Cta& cta) {
  if (!cta.tensor) cta.tensor = std::make_shared<TensorMemory>();
  return *cta.tensor;
}

void settle_registers(Warp& warp, const Instruction& instruction) {
  AsyncQueue& queue = warp.cta->cluster->async;
  StrictMode* strict = warp.cta->cluster->strict.get();
  std::erase_if(warp.tmem_loads, [&](const TmemTransfer& load) {
    // The strict mode keeps loads that have brought their registers until the wait.
    if (!queue.is_pending(load.operation) && strict == nullptr) return true;
    if (!names(load, instruction)) return false;
    queue.complete(load.operation);
    // A second load into the same registers is no use of them, nor is the end of the thread.
    const bool is_use = instruction.flow != Instruction::Flow::control && !is_load(instruction);
    if (strict != nullptr && is_use)
      strict->tensor.uses_register({warp.cta->rank, warp.thread(__builtin_ctz(warp.live)), instruction.line});
    return is_use || strict == nullptr;
  });
}

void finish_transfers(Warp& warp, std::vector<TmemTransfer>& transfers, size_t count) {
  std::vector<TmemTransfer> left = std::exchange(transfers, {});
  count = std::min(count, left.size());
  for (size_t i = 0; i < count; ++i) warp.cta->cluster->async.complete(left[i].operation);
  left.erase(left.begin(), left.begin() + static_cast<ptrdiff_t>(count));
  transfers.insert(transfers.begin(), left.begin(), left.end());
}

}  // namespace assay::emulator
