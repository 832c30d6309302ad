// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "devices/emulator/machine/launch.h"
#include "devices/emulator/machine/step.h"
#include "devices/emulator/machine/strict.h"
#include "devices/emulator/tma/steps.h"

// clusterlaunchcontrol.try_cancel and query_cancel (ptx, Parallel Synchronization: clusterlaunchcontrol). The
// documents call the answer opaque; here word 0 says whether a cluster was cancelled, words 1 to 3 are the
// %ctaid of its first CTA.
namespace assay::emulator {
namespace {

struct CancelForm {
  Space space;
  bool to_all;
};
using CancelAnswer = std::array<uint32_t, 4>;
/// Undefined when nothing was cancelled (ptx, query_cancel): so that use of it shows.
constexpr uint32_t no_ctaid = 0xcbcbcbcb;

/// Takes a cluster off the grid, if there is one.
CancelAnswer answer_to(Cluster& cluster) {
  Launch& launch = cluster.launch;
  Cancellation made{cluster.ctas[0]->id, launch.cluster_shape};
  if (const auto ctaid = launch.cancel_cluster(cluster)) {
    made.is_cancelled = true;
    made.cancelled = *ctaid;
  }
  const bool was_cancelled = made.is_cancelled;
  steps_for(cluster.settings()).cancelled(made);
  if (was_cancelled && made.starts_anyway) launch.start_cancelled();
  if (!made.is_cancelled) return {};
  return {1, made.cancelled[0], made.cancelled[1], made.cancelled[2]};
}

uint32_t try_cancel(Step& step) {
  const CancelForm& form = step.data<CancelForm>();
  // What a faulty device answers all of them.
  const auto shared = steps_for(step.cluster.settings()).answers_each_lane
                          ? nullptr
                          : std::make_shared<std::optional<CancelAnswer>>();
  for_lanes(step.mask, [&](int lane) {
    if (step.cta.saw_refusal && step.cluster.strict)
      step.cluster.strict->request_after_refusal(step.issuer(lane));
    const Place answer = resolve(step, lane, form.space, step.address(step.operand(0), lane), 16, 16, true);
    const Place barrier = resolve(step, lane, form.space, step.address(step.operand(1), lane), 8, 8, true);
    if (!answer.is_shared() || !barrier.is_shared())
      step.fail(Diagnostic::Kind::illegal_address, lane, "the answer and its mbarrier lie in shared memory");
    AsyncOperation operation;
    operation.issuer = step.issuer(lane);
    // Only the writes of .multicast::cluster::all are said to be of the async proxy (ptx, try_cancel).
    operation.is_async_proxy = form.to_all;
    operation.is_response = true;
    for (const auto& cta : step.cluster.ctas) {
      if (!form.to_all && cta->rank != step.cta.rank) continue;
      const uint32_t window = cta->rank << shared_rank_shift;
      operation.shared_writes.push_back({(answer.shared_address & shared_offset_mask) | window, 16});
      operation.barriers.push_back((barrier.shared_address & shared_offset_mask) | window);
    }
    operation.write = [&cluster = step.cluster, issuer = operation.issuer, writes = operation.shared_writes,
                       barriers = operation.barriers, shared] {
      const CancelAnswer answer = shared && *shared ? **shared : answer_to(cluster);
      if (shared) *shared = answer;
      for (size_t i = 0; i < writes.size(); ++i) {
        std::byte* bytes = cluster.async_write(writes[i].address, 16, issuer);
        if (bytes == nullptr)
          trap(Diagnostic::Kind::illegal_address, "the answer lies outside shared memory");
        std::memcpy(bytes, answer.data(), 16);
        cluster.complete_tx(barriers[i], 16, issuer);
      }
    };
    step.cluster.async.issue(std::move(operation));
  });
  return step.mask;
}

std::optional<LoweringError> lower_try(const Opcode& opcode, Target target, Instruction& instruction) {
  if (!is_from_sm_100(target) ||
      !only_known_qualifiers(
          opcode, "try_cancel async shared::cta mbarrier::complete_tx::bytes multicast::cluster::all b128") ||
      !opcode.has("mbarrier::complete_tx::bytes") || !opcode.has("b128"))
    return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (operands.size() != 2 || operands[0].kind != Operand::Kind::address ||
      operands[1].kind != Operand::Kind::address)
    return wrong_operands(opcode, "the address of the answer and that of an mbarrier");
  instruction.data =
      std::make_shared<const CancelForm>(CancelForm{space_of(opcode), opcode.has("multicast::cluster::all")});
  instruction.execute = try_cancel;
  return std::nullopt;
}

/// Word `i` of an answer in a register of 128 bits.
uint32_t word_of_cancel(const Step& step, int lane, uint32_t i) {
  const Column low = step.operand(1).column;
  return static_cast<uint32_t>(step.column({low.index + i / 2})[lane] >> i % 2 * 32);
}
/// %ctaid by dimension; no dimension 3.
void set_ctaid(Step& step, int lane, const Operand& to, uint32_t dimension) {
  const bool is_cancelled = word_of_cancel(step, lane, 0) != 0 && dimension < 3;
  step.set(to, lane, is_cancelled ? word_of_cancel(step, lane, 1 + dimension) : no_ctaid,
           !is_cancelled || step.tainted(step.operand(1), lane));
}
template <uint32_t dimension>
uint32_t get_one(Step& step) {
  for_lanes(step.mask, [&](int lane) { set_ctaid(step, lane, step.operand(0), dimension); });
  return step.mask;
}

bool is_register_of_cancel(const Operand& operand, uint16_t bits) {
  return operand.kind == Operand::Kind::sink ||
         (operand.kind == Operand::Kind::value && operand.is_register && operand.bits == bits);
}

std::optional<LoweringError> lower_query(const Opcode& opcode, Target target, Instruction& instruction) {
  if (!is_from_sm_100(target)) return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (operands.size() != 2 || operands[1].kind != Operand::Kind::value || operands[1].bits != 128)
    return wrong_operands(opcode, "a destination and a 128-bit answer");
  if (opcode.text == "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128") {
    if (!is_register_of_cancel(operands[0], 1))
      return wrong_operands(opcode, "a predicate and a 128-bit answer");
    instruction.execute = [](Step& step) -> uint32_t {
      for_lanes(step.mask, [&](int lane) {
        const bool is_cancelled = word_of_cancel(step, lane, 0) != 0;
        step.cta.saw_refusal |= !is_cancelled;
        step.set(step.operand(0), lane, is_cancelled, step.tainted(step.operand(1), lane));
      });
      return step.mask;
    };
    return std::nullopt;
  }
  if (opcode.text == "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128") {
    if (operands[0].kind != Operand::Kind::vector || operands[0].items.size() != 4)
      return wrong_operands(opcode, "a vector of four registers and a 128-bit answer");
    for (const Operand& item : operands[0].items)
      if (!is_register_of_cancel(item, 32))
        return wrong_operands(opcode, "a vector of four registers and a 128-bit answer");
    instruction.execute = [](Step& step) -> uint32_t {
      const auto& items = step.operand(0).items;
      for_lanes(step.mask, [&](int lane) {
        for (uint32_t i = 0; i < 4; ++i) set_ctaid(step, lane, items[i], i);
      });
      return step.mask;
    };
    return std::nullopt;
  }
  constexpr uint32_t (*get[])(Step&) = {get_one<0>, get_one<1>, get_one<2>};
  for (size_t i = 0; i < 3; ++i)
    if (opcode.text ==
        std::string("clusterlaunchcontrol.query_cancel.get_first_ctaid::") + "xyz"[i] + ".b32.b128") {
      if (!is_register_of_cancel(operands[0], 32))
        return wrong_operands(opcode, "a register and a 128-bit answer");
      instruction.execute = get[i];
      return std::nullopt;
    }
  return unknown_opcode(opcode);
}

const RegisteredFamily try_family("clusterlaunchcontrol.try_cancel", lower_try);
const RegisteredFamily query_family("clusterlaunchcontrol.query_cancel", lower_query);

}  // namespace
}  // namespace assay::emulator
