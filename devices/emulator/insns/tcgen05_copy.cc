// SPDX-License-Identifier: Apache-2.0
// tcgen05.cp and tcgen05.shift (ptx, Tensor Memory Data Movement Instructions: tcgen05.cp, tcgen05.shift).
#include <memory>
#include <utility>

#include "devices/emulator/machine/strict.h"
#include "devices/emulator/machine/tmem_access.h"
#include "devices/emulator/tensor/tmem_copy.h"
#include "devices/emulator/tensor/tmem_issue.h"

namespace assay::emulator::insn_tcgen05_copy {
namespace {

void check_pair(const Step& step, uint32_t cta_group, int lane) {
  if (cta_group == 2 && (step.cta.rank | 1) >= step.cluster.ctas.size())
    step.fail(Diagnostic::Kind::illegal_instruction, lane,
              ".cta_group::2 needs a CTA pair; the cluster has " + std::to_string(step.cluster.ctas.size()) +
                  " CTA");
}

/// Issues one decoded instruction of a lane.
template <typename Decoded>
void issue(const Step& step, int lane, const Decoded& decoded, void (*perform)(const Decoded&, Cluster&)) {
  Cluster& cluster = step.cluster;
  AsyncOperation operation;
  operation.issuer = step.issuer(lane);
  const WorkAccess access = access_of(decoded, cluster.settings());
  if (cluster.strict) {
    operation.shared_reads = access.shared_reads;
    cluster.strict->tensor.works(access, operation.issuer);
  }
  operation.write = [&cluster, decoded, perform] { perform(decoded, cluster); };
  issue_work(step, lane, access.work, std::move(operation));
}

uint32_t execute_copy(Step& step) {
  const CopyForm& form = step.data<CopyForm>();
  for_lanes(step.mask, [&](int lane) {
    check_pair(step, form.cta_group, lane);
    const auto address = static_cast<uint32_t>(step.address(step.operand(0), lane));
    issue(
        step, lane,
        decode_copy(form, address, step.value(step.operand(1), lane), step.cta.rank, step.cluster.settings()),
        perform_copy);
  });
  return step.mask;
}

uint32_t execute_shift(Step& step) {
  const auto cta_group = step.data<uint32_t>();
  for_lanes(step.mask, [&](int lane) {
    check_pair(step, cta_group, lane);
    const auto address = static_cast<uint32_t>(step.address(step.operand(0), lane));
    issue(step, lane, decode_shift(cta_group, address, step.cta.rank, step.cluster.settings()),
          perform_shift);
  });
  return step.mask;
}

/// A shape and the multicast that goes with it.
struct ShapeName {
  std::string_view shape, multicast;
  CopyShape what;
};
constexpr ShapeName shape_names[] = {{"128x256b", "", CopyShape::s128x256b},
                                     {"4x256b", "", CopyShape::s4x256b},
                                     {"128x128b", "", CopyShape::s128x128b},
                                     {"64x128b", "warpx2::02_13", CopyShape::s64x128b_02_13},
                                     {"64x128b", "warpx2::01_23", CopyShape::s64x128b_01_23},
                                     {"32x128b", "warpx4", CopyShape::s32x128b}};

/// The form that as many qualifiers say as the opcode has beside cp and the CTA group.
std::optional<CopyForm> form_of(const Opcode& opcode) {
  const size_t given = opcode.qualifiers.size() - 2;
  for (const ShapeName& row : shape_names) {
    if (!opcode.has(row.shape) || (!row.multicast.empty() && !opcode.has(row.multicast))) continue;
    CopyForm form{row.what, CopyFormat::none, opcode.has("cta_group::2") ? 2u : 1u};
    size_t used = row.multicast.empty() ? 1 : 2;
    if (opcode.has("b8x16")) {
      form.format = opcode.has("b6x16_p32") ? CopyFormat::b6x16_p32 : CopyFormat::b4x16_p64;
      if (form.format == CopyFormat::b4x16_p64 && !opcode.has("b4x16_p64")) return std::nullopt;
      used += 2;
    }
    if (used == given) return form;
  }
  return std::nullopt;
}

std::optional<LoweringError> lower_copy(const Opcode& opcode, Target target, Instruction& instruction) {
  if (!is_sm_10x(target) || opcode.has("cta_group::1") == opcode.has("cta_group::2"))
    return unknown_opcode(opcode);
  const std::optional<CopyForm> form = form_of(opcode);
  if (!form) return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (operands.size() != 2 || !is_tensor_address(operands[0]) || operands[1].kind != Operand::Kind::value ||
      !(operands[1].bits == 64 || operands[1].is_immediate))
    return wrong_operands(opcode, "[a tensor memory address] and a matrix descriptor");
  instruction.data = std::make_shared<const CopyForm>(*form);
  instruction.execute = execute_copy;
  return std::nullopt;
}

std::optional<LoweringError> lower_shift(const Opcode& opcode, Target target, Instruction& instruction) {
  if (!is_sm_10x(target) || opcode.has("cta_group::1") == opcode.has("cta_group::2") || !opcode.has("down") ||
      opcode.qualifiers.size() != 3)
    return unknown_opcode(opcode);
  if (instruction.operands.size() != 1 || !is_tensor_address(instruction.operands[0]))
    return wrong_operands(opcode, "[a tensor memory address]");
  instruction.data = std::make_shared<const uint32_t>(opcode.has("cta_group::2") ? 2 : 1);
  instruction.execute = execute_shift;
  return std::nullopt;
}

const RegisteredFamily copy("tcgen05.cp", lower_copy);
const RegisteredFamily shift("tcgen05.shift", lower_shift);

}  // namespace
}  // namespace assay::emulator::insn_tcgen05_copy
