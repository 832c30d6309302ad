// SPDX-License-Identifier: Apache-2.0
// tcgen05.commit and tcgen05.fence (ptx, tcgen05: Async Synchronization and Tensorcore 5th Generation fence
// instructions).
#include <algorithm>

#include "devices/emulator/machine/access.h"
#include "devices/emulator/machine/strict.h"
#include "devices/emulator/tensor/tcgen05_steps.h"
#include "devices/emulator/tensor/tmem_issue.h"

namespace assay::emulator::insn_tcgen05_sync {
namespace {

struct Form {
  bool is_generic = false, is_multicast = false;
};

/// The shared::cluster address of the mbarrier. The instruction takes the low word of its operand, so
/// published code (Triton, ThunderKittens) passes a zero-extended shared address where a generic one is asked
/// for; a generic address of other memory is still told from both.
uint32_t barrier_address(Step& step, const Form& form, int lane) {
  const uint64_t address = step.address(step.operand(0), lane);
  return step.shared_address(address, form.is_generic && address >> 32 != 0, lane);
}

/// Where the arrivals of one commit go, as shared::cluster addresses.
std::vector<uint32_t> barriers_of(Step& step, const Form& form, int lane) {
  const uint32_t address = barrier_address(step, form, lane);
  if (!form.is_multicast) return {address};
  // The offset counts, in each CTA whose bit is set.
  const uint32_t ranks = static_cast<uint32_t>(step.value(step.operand(1), lane)) & 0xffff;
  std::vector<uint32_t> barriers;
  for (uint32_t rank = 0; rank < 16; ++rank) {
    if ((ranks >> rank & 1) == 0) continue;
    if (rank >= step.cluster.ctas.size())
      step.fail(Diagnostic::Kind::launch_failed, lane,
                "tcgen05.commit goes to CTA " + std::to_string(rank) + ", which the cluster of " +
                    std::to_string(step.cluster.ctas.size()) + " does not have");
    barriers.push_back(rank << shared_rank_shift | (address & shared_offset_mask));
  }
  return barriers;
}

uint32_t execute_commit(Step& step) {
  const Form& form = step.data<Form>();
  Cluster& cluster = step.cluster;
  for_lanes(step.mask, [&](int lane) {
    std::vector<IssuedWork>& issued = pending_work(step, lane);
    const Tcgen05Steps& steps = tcgen05_steps_for(cluster.settings());
    for (const uint32_t named : barriers_of(step, form, lane)) {
      const uint32_t barrier = steps.committed_to(named, step.cta.rank, form.is_multicast, form.is_generic);
      AsyncOperation operation;
      operation.issuer = step.issuer(lane);
      operation.is_async_proxy = false;
      for (size_t i = 0; i < issued.size(); ++i)
        if (steps.commit_tracks(i, issued.size(), issued[i].was_committed))
          operation.after.push_back(issued[i].operation);
      const uint64_t tracked = cluster.strict ? cluster.strict->tensor.commits(barrier, operation.issuer) : 0;
      operation.write = [&cluster, &steps, barrier, tracked, issuer = operation.issuer] {
        // One that does not lie in shared memory is refused with the arrival.
        const Mbarrier* before =
            cluster.shared(barrier, 8) == nullptr ? nullptr : cluster.barrier_at(barrier, issuer);
        if (before == nullptr || steps.commit_arrives(*before)) cluster.arrive(barrier, issuer);
        if (cluster.strict) cluster.strict->tensor.arrived(tracked);
      };
      if (steps.commit_waits)
        cluster.async.issue(std::move(operation));
      else
        operation.write();
    }
    for (IssuedWork& work : issued) work.was_committed = true;
  });
  return step.mask;
}

std::optional<LoweringError> lower_commit(const Opcode& opcode, Target target, Instruction& instruction) {
  if (!is_sm_10x(target) ||
      !only_known_qualifiers(opcode,
                             "commit cta_group::1 cta_group::2 mbarrier::arrive::one shared::cluster "
                             "multicast::cluster b64") ||
      opcode.has("cta_group::1") == opcode.has("cta_group::2") || !opcode.has("mbarrier::arrive::one") ||
      !opcode.has("b64"))
    return unknown_opcode(opcode);
  Form form{!opcode.has("shared::cluster"), opcode.has("multicast::cluster")};
  const auto& operands = instruction.operands;
  if (operands.size() != (form.is_multicast ? 2u : 1u) || operands[0].kind != Operand::Kind::address ||
      (form.is_multicast && (operands[1].kind != Operand::Kind::value || operands[1].bits != 16)))
    return wrong_operands(opcode, form.is_multicast
                                      ? "the address of an mbarrier and a 16-bit register of CTAs"
                                      : "the address of an mbarrier");
  instruction.data = std::make_shared<const Form>(form);
  instruction.execute = execute_commit;
  return std::nullopt;
}

std::optional<LoweringError> lower_fence(const Opcode& opcode, Target target, Instruction& instruction) {
  if (!is_sm_10x(target) || opcode.qualifiers.size() != 1) return unknown_opcode(opcode);
  if (!instruction.operands.empty()) return wrong_operands(opcode, "no operands");
  if (opcode.has("fence::before_thread_sync"))
    instruction.execute = [](Step& step) -> uint32_t {
      if (step.cluster.strict)
        step.cluster.strict->tensor.fence_before(step.issuer(__builtin_ctz(step.mask)));
      return step.mask;
    };
  else
    instruction.execute = [](Step& step) -> uint32_t {
      if (step.cluster.strict) step.cluster.strict->tensor.fence_after(step.issuer(__builtin_ctz(step.mask)));
      return step.mask;
    };
  return std::nullopt;
}

const RegisteredFamily commit("tcgen05.commit", lower_commit);
const RegisteredFamily before("tcgen05.fence::before_thread_sync", lower_fence);
const RegisteredFamily after("tcgen05.fence::after_thread_sync", lower_fence);

}  // namespace
}  // namespace assay::emulator::insn_tcgen05_sync
