#include <cstring>

#include "devices/emulator/machine/access.h"
#include "devices/emulator/machine/launch.h"

// clusterlaunchcontrol.try_cancel and query_cancel (ptx, Parallel Synchronization: clusterlaunchcontrol).
// Every request is answered with "nothing was cancelled", which is always legal; the grid's clusters all run
// by themselves. The answer is 16 bytes whose bit 0 says "cancelled".
namespace assay::emulator {
namespace {

struct Form {
  Space space;
  bool to_all;
};

uint32_t try_cancel(Step& step) {
  const Form& form = step.data<Form>();
  for_lanes(step.mask, [&](int lane) {
    const Place answer = resolve(step, lane, form.space, step.address(step.operand(0), lane), 16, 16, true);
    const Place barrier = resolve(step, lane, form.space, step.address(step.operand(1), lane), 8, 8, true);
    if (!answer.is_shared() || !barrier.is_shared())
      step.fail(Diagnostic::Kind::illegal_address, lane, "the answer and its mbarrier lie in shared memory");
    AsyncOperation operation;
    operation.issuer = step.issuer(lane);
    for (const auto& cta : step.cluster.ctas) {
      if (!form.to_all && cta->rank != step.cta.rank) continue;
      const uint32_t window = cta->rank << shared_rank_shift;
      operation.shared_writes.push_back({(answer.shared_address & shared_offset_mask) | window, 16});
      operation.barriers.push_back((barrier.shared_address & shared_offset_mask) | window);
    }
    operation.write = [&cluster = step.cluster, issuer = operation.issuer, writes = operation.shared_writes,
                       barriers = operation.barriers] {
      for (size_t i = 0; i < writes.size(); ++i) {
        std::byte* bytes = cluster.async_write(writes[i].address, 16, issuer);
        if (bytes == nullptr)
          trap(Diagnostic::Kind::illegal_address, "the answer lies outside shared memory");
        std::memset(bytes, 0, 16);
        cluster.complete_tx(barriers[i], 16, issuer);
      }
    };
    step.cluster.async.issue(std::move(operation));
  });
  return step.mask;
}

std::optional<LoweringError> lower_try(const Opcode& opcode, Target target, Instruction& instruction) {
  if (target == Target::sm_90a ||
      !only_known_qualifiers(
          opcode, "try_cancel async shared::cta mbarrier::complete_tx::bytes multicast::cluster::all b128") ||
      !opcode.has("mbarrier::complete_tx::bytes") || !opcode.has("b128"))
    return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (operands.size() != 2 || operands[0].kind != Operand::Kind::address ||
      operands[1].kind != Operand::Kind::address)
    return wrong_operands(opcode, "the address of the answer and that of an mbarrier");
  instruction.data =
      std::make_shared<const Form>(Form{space_of(opcode), opcode.has("multicast::cluster::all")});
  instruction.execute = try_cancel;
  return std::nullopt;
}

bool is_register(const Operand& operand, uint16_t bits) {
  return operand.kind == Operand::Kind::sink ||
         (operand.kind == Operand::Kind::value && operand.is_register && operand.bits == bits);
}

std::optional<LoweringError> lower_query(const Opcode& opcode, Target target, Instruction& instruction) {
  if (target == Target::sm_90a) return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (operands.size() != 2 || operands[1].kind != Operand::Kind::value || operands[1].bits != 128)
    return wrong_operands(opcode, "a destination and a 128-bit answer");
  if (opcode.text == "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128") {
    if (!is_register(operands[0], 1)) return wrong_operands(opcode, "a predicate and a 128-bit answer");
    instruction.execute = [](Step& step) -> uint32_t {
      for_lanes(step.mask, [&](int lane) {
        step.set(step.operand(0), lane, step.value(step.operand(1), lane) & 1,
                 step.tainted(step.operand(1), lane));
      });
      return step.mask;
    };
    return std::nullopt;
  }
  if (opcode.text == "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128") {
    if (operands[0].kind != Operand::Kind::vector || operands[0].items.size() != 4)
      return wrong_operands(opcode, "a vector of four registers and a 128-bit answer");
    for (const Operand& item : operands[0].items)
      if (!is_register(item, 32))
        return wrong_operands(opcode, "a vector of four registers and a 128-bit answer");
    // Undefined when nothing was cancelled (ptx, query_cancel): zeros here.
    instruction.execute = [](Step& step) -> uint32_t {
      for_lanes(step.mask, [&](int lane) {
        for (const Operand& item : step.operand(0).items) step.set(item, lane, 0);
      });
      return step.mask;
    };
    return std::nullopt;
  }
  for (const char* component : {"x", "y", "z"})
    if (opcode.text ==
        std::string("clusterlaunchcontrol.query_cancel.get_first_ctaid::") + component + ".b32.b128") {
      if (!is_register(operands[0], 32)) return wrong_operands(opcode, "a register and a 128-bit answer");
      instruction.execute = [](Step& step) -> uint32_t {
        for_lanes(step.mask, [&](int lane) { step.set(step.operand(0), lane, 0); });
        return step.mask;
      };
      return std::nullopt;
    }
  return unknown_opcode(opcode);
}

const RegisteredFamily try_family("clusterlaunchcontrol.try_cancel", lower_try);
const RegisteredFamily query_family("clusterlaunchcontrol.query_cancel", lower_query);

}  // namespace
}  // namespace assay::emulator
