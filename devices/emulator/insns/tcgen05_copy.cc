// SPDX-License-Identifier: Apache-2.0
// tcgen05.cp and tcgen05.shift (ptx, Tensor Memory Data Movement Instructions: tcgen05.cp, tcgen05.shift).

#include <memory>
#include <utility>

#include "devices/emulator/machine/step.h"
#include "devices/emulator/machine/strict.h"
#include "devices/emulator/machine/tmem.h"
#include "devices/emulator/tensor/tcgen05_steps.h"
#include "devices/emulator/tensor/tmem_copy.h"

namespace assay::emulator {
namespace {

void check_pair(const Step& step, uint32_t cta_group, int lane) {
  if (cta_group == 2 && (step.cta.rank | 1) >= step.cluster.ctas.size())
    step.fail(Diagnostic::Kind::illegal_instruction, lane,
              ".cta_group::2 needs a CTA pair; the cluster has " + std::to_string(step.cluster.ctas.size()) +
                  " CTA");
}

/// Issues one decoded instruction of a lane.
template <typename Decoded>
void issue_tmem_copy(const Step& step, int lane, const Decoded& decoded,
                     void (*perform)(const Decoded&, Cluster&)) {
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

uint32_t execute_tmem_copy(Step& step) {
  const CopyForm& form = step.data<CopyForm>();
  for_lanes(step.mask, [&](int lane) {
    check_pair(step, form.cta_group, lane);
    const auto address = static_cast<uint32_t>(step.address(step.operand(0), lane));
    issue_tmem_copy(
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
    issue_tmem_copy(step, lane, decode_shift(cta_group, address, step.cta.rank, step.cluster.settings()),
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
std::optional<CopyForm> form_of_tmem_copy(const Opcode& opcode) {
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

std::optional<LoweringError> lower_tmem_copy(const Opcode& opcode, Target target, Instruction& instruction) {
  if (!has_tensor_memory(target) || opcode.has("cta_group::1") == opcode.has("cta_group::2"))
    return unknown_opcode(opcode);
  const std::optional<CopyForm> form = form_of_tmem_copy(opcode);
  if (!form) return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (operands.size() != 2 || !is_tensor_address(operands[0]) || operands[1].kind != Operand::Kind::value ||
      !(operands[1].bits == 64 || operands[1].is_immediate))
    return wrong_operands(opcode, "[a tensor memory address] and a matrix descriptor");
  instruction.data = std::make_shared<const CopyForm>(*form);
  instruction.execute = execute_tmem_copy;
  return std::nullopt;
}

std::optional<LoweringError> lower_shift(const Opcode& opcode, Target target, Instruction& instruction) {
  if (!has_tensor_memory(target) || opcode.has("cta_group::1") == opcode.has("cta_group::2") ||
      !opcode.has("down") || opcode.qualifiers.size() != 3)
    return unknown_opcode(opcode);
  if (instruction.operands.size() != 1 || !is_tensor_address(instruction.operands[0]))
    return wrong_operands(opcode, "[a tensor memory address]");
  instruction.data = std::make_shared<const uint32_t>(opcode.has("cta_group::2") ? 2 : 1);
  instruction.execute = execute_shift;
  return std::nullopt;
}

const RegisteredFamily tmem_copy("tcgen05.cp", lower_tmem_copy);
const RegisteredFamily tmem_copy_shift("tcgen05.shift", lower_shift);

// tcgen05.commit and tcgen05.fence (ptx, tcgen05: Async Synchronization and Tensorcore 5th Generation fence
// instructions).

/// (PTX ISA 9.4, tcgen05.commit; sm_107f) The arrival waits for reads of A alone: here for all.
constexpr std::string_view early_arrival = "sync_restrict::shared::read::mma::a";

struct Tcgen05Form {
  bool is_generic = false, is_multicast = false;
  int mask_bits = 0;
};

/// The shared::cluster address of the mbarrier. The instruction takes the low word of its operand, so
/// published code (Triton, ThunderKittens) passes a zero-extended shared address where a generic one is asked
/// for; a generic address of other memory is still told from both.
uint32_t barrier_address(Step& step, const Tcgen05Form& form, int lane) {
  const uint64_t address = step.address(step.operand(0), lane);
  return step.shared_address(address, form.is_generic && address >> 32 != 0, lane);
}

/// Where the arrivals of one commit go, as shared::cluster addresses.
std::vector<uint32_t> barriers_of(Step& step, const Tcgen05Form& form, int lane) {
  const uint32_t address = barrier_address(step, form, lane);
  if (!form.is_multicast) return {address};
  // The offset counts, in each CTA whose bit is set.
  const auto ranks =
      static_cast<uint32_t>(step.value(step.operand(1), lane) & ((uint64_t{1} << form.mask_bits) - 1));
  std::vector<uint32_t> barriers;
  for (uint32_t rank = 0; rank < 32; ++rank) {
    if ((ranks >> rank & 1) == 0) continue;
    if (rank >= step.cluster.ctas.size())
      step.fail(Diagnostic::Kind::launch_failed, lane,
                "tcgen05.commit goes to CTA " + std::to_string(rank) + ", which the cluster of " +
                    std::to_string(step.cluster.ctas.size()) + " does not have");
    barriers.push_back(rank << shared_rank_shift | (address & shared_offset_mask));
  }
  return barriers;
}

uint32_t execute_tcgen05_commit(Step& step) {
  const Tcgen05Form& form = step.data<Tcgen05Form>();
  Cluster& cluster = step.cluster;
  for_lanes(step.mask, [&](int lane) {
    std::vector<IssuedWork>& issued = pending_work(step, lane);
    const Tcgen05Steps& steps = tcgen05_steps_for(cluster.settings());
    for (const uint32_t named : barriers_of(step, form, lane)) {
      const uint32_t barrier = steps.committed_to(named, step.cta.rank, form.is_multicast, form.is_generic);
      AsyncOperation operation;
      operation.issuer = step.issuer(lane);
      operation.is_async_proxy = false;
      operation.arrival = barrier;
      for (size_t i = 0; i < issued.size(); ++i)
        if (steps.commit_tracks(i, issued.size(), issued[i].was_committed))
          operation.after.push_back(issued[i].operation);
      const uint64_t tracked = cluster.strict ? cluster.strict->tensor.commits(barrier, operation.issuer) : 0;
      const auto told = cluster.strict ? cluster.strict->races.committed(operation.issuer) : nullptr;
      operation.write = [&cluster, &steps, barrier, tracked, told, issuer = operation.issuer] {
        if (told) cluster.strict->races.order.mbarrier_learns(barrier, issuer, *told);
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

std::optional<LoweringError> lower_tcgen05_commit(const Opcode& opcode, Target target,
                                                  Instruction& instruction) {
  const std::optional<int> mask_bits = multicast_bits(opcode, target);
  if (!has_tensor_memory(target) || !mask_bits ||
      !only_known_qualifiers(opcode,
                             "commit cta_group::1 cta_group::2 mbarrier::arrive::one shared::cluster b64 " +
                                 std::string(early_arrival) + std::string(multicast_words)) ||
      (opcode.has(early_arrival) && !facts_of(target).has_32_ctas) ||
      opcode.has("cta_group::1") == opcode.has("cta_group::2") || !opcode.has("mbarrier::arrive::one") ||
      !opcode.has("b64"))
    return unknown_opcode(opcode);
  Tcgen05Form form{!opcode.has("shared::cluster"), *mask_bits != 0, *mask_bits};
  const auto& operands = instruction.operands;
  if (operands.size() != (form.is_multicast ? 2u : 1u) || operands[0].kind != Operand::Kind::address ||
      (form.is_multicast && (operands[1].kind != Operand::Kind::value || operands[1].bits != form.mask_bits)))
    return wrong_operands(opcode, form.is_multicast
                                      ? "the address of an mbarrier and a " + std::to_string(form.mask_bits) +
                                            "-bit register of CTAs"
                                      : "the address of an mbarrier");
  instruction.data = std::make_shared<const Tcgen05Form>(form);
  instruction.execute = execute_tcgen05_commit;
  return std::nullopt;
}

std::optional<LoweringError> lower_tcgen05_fence(const Opcode& opcode, Target target,
                                                 Instruction& instruction) {
  if (!has_tensor_memory(target) || opcode.qualifiers.size() != 1) return unknown_opcode(opcode);
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

const RegisteredFamily tcgen05_commit("tcgen05.commit", lower_tcgen05_commit);
const RegisteredFamily before("tcgen05.fence::before_thread_sync", lower_tcgen05_fence);
const RegisteredFamily after("tcgen05.fence::after_thread_sync", lower_tcgen05_fence);

}  // namespace
}  // namespace assay::emulator
