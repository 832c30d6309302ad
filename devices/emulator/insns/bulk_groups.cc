// SPDX-License-Identifier: Apache-2.0
// cp.async.bulk.commit_group and wait_group (ptx, Data Movement and Conversion Instructions: completion
// mechanisms of asynchronous copies).
#include "devices/emulator/machine/step.h"
#include "devices/emulator/machine/strict.h"
#include "devices/emulator/tma/steps.h"

namespace assay::emulator::insn_bulk_groups {
namespace {

std::optional<LoweringError> lower_commit(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "async bulk commit_group")) return unknown_opcode(opcode);
  if (!instruction.operands.empty()) return wrong_operands(opcode, "no operands");
  instruction.execute = [](Step& step) -> uint32_t {
    for_lanes(step.mask, [&](int lane) { step.warp.bulk_groups[static_cast<size_t>(lane)].commit(); });
    return step.mask;
  };
  return std::nullopt;
}

struct WaitForm {
  uint64_t pending = 0;  ///< groups that may be unfinished
  bool is_read = false;
};

uint32_t execute_wait(Step& step) {
  const WaitForm& form = step.data<WaitForm>();
  const Steps& steps = steps_for(step.cluster.settings());
  const uint64_t left = steps.groups_left(form.pending);
  uint32_t done = 0;
  for_lanes(step.mask, [&](int lane) {
    AsyncGroups& groups = step.warp.bulk_groups[static_cast<size_t>(lane)];
    if (!groups.at_most(left, form.is_read, steps.group_done)) return;
    done |= 1u << lane;
    if (step.cluster.strict)
      step.cluster.strict->groups_waited(form.pending, step.issuer(lane), groups, form.is_read);
    groups.trim();
    if (!steps.keeps_open_group) groups.forget_open();
  });
  return done;
}

std::optional<LoweringError> lower_wait(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "async bulk wait_group read")) return unknown_opcode(opcode);
  if (instruction.operands.size() != 1 || !instruction.operands[0].is_immediate)
    return wrong_operands(opcode, "an immediate number of groups");
  instruction.data =
      std::make_shared<const WaitForm>(WaitForm{instruction.operands[0].immediate, opcode.has("read")});
  instruction.execute = execute_wait;
  return std::nullopt;
}

const RegisteredFamily commits("cp.async.bulk.commit_group", lower_commit);
const RegisteredFamily waits("cp.async.bulk.wait_group", lower_wait);

}  // namespace
}  // namespace assay::emulator::insn_bulk_groups
