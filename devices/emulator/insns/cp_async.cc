// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>

#include "devices/emulator/async/mbarrier.h"
#include "devices/emulator/machine/launch.h"
#include "devices/emulator/machine/step.h"
#include "devices/emulator/machine/strict.h"
#include "devices/emulator/tma/steps.h"

// cp.async, its groups and its arrivals at mbarriers (ptx, Non-bulk copy: cp.async ...). The bulk forms are
// elsewhere.
namespace assay::emulator {
namespace {

struct CpAsyncForm {
  Space destination;
  uint32_t bytes;
  int8_t source_size = -1, ignore = -1;  ///< operand numbers, -1: absent
};

void arrive_cp_async(Cluster& cluster, const CopyArrival& arrival) {
  const uint32_t address = arrival.barrier;
  Mbarrier* const barrier = cluster.cta_at(address)->mbarrier(address & shared_offset_mask);
  if (barrier == nullptr) trap(Diagnostic::Kind::launch_failed, "the mbarrier is not initialised any more");
  const bool phase = barrier->phase;
  if (cluster.strict) cluster.strict->races.copies_arrive(address, arrival.copies);
  if (const std::string_view wrong = barrier->arrive(1, false); !wrong.empty())
    trap(Diagnostic::Kind::launch_failed, std::string(wrong));
  if (cluster.strict && barrier->phase != phase) cluster.strict->races.order.mbarrier_completes(address);
  ++cluster.progress;
}

void issue_cp_async(Step& step, const CpAsyncForm& form, int lane) {
  const Place to = resolve(step, lane, form.destination, step.address(step.operand(0), lane), form.bytes,
                           form.bytes, true);
  if (!to.is_shared())
    step.fail(Diagnostic::Kind::illegal_address, lane, "cp.async writes shared memory only");
  uint32_t from_bytes = form.bytes;
  if (form.source_size >= 0)
    from_bytes = static_cast<uint32_t>(step.value(step.operand(static_cast<size_t>(form.source_size)), lane));
  if (form.ignore >= 0 && step.value(step.operand(static_cast<size_t>(form.ignore)), lane) != 0)
    from_bytes = 0;
  if (from_bytes > form.bytes)
    step.fail(Diagnostic::Kind::illegal_instruction, lane,
              "the source size of cp.async is larger than the copy");
  const uint64_t address = step.address(step.operand(1), lane);
  if (address % form.bytes != 0)
    step.fail(Diagnostic::Kind::misaligned_address, lane,
              "the source of cp.async is not aligned to " + std::to_string(form.bytes) + " bytes");
  const std::byte* from =
      from_bytes == 0 ? nullptr : resolve(step, lane, Space::global, address, from_bytes, 1, false).bytes;

  Warp& warp = step.warp;
  auto listeners = std::make_shared<CopyListeners>();
  auto& copies = warp.copies[static_cast<size_t>(lane)];
  std::erase_if(copies, [](const auto& cp_async_copy) { return cp_async_copy.expired(); });
  copies.push_back(listeners);

  AsyncOperation operation;
  operation.issuer = step.issuer(lane);
  operation.group = warp.copy_groups[static_cast<size_t>(lane)].open();
  operation.is_async_proxy = false;
  if (step.cluster.strict) operation.shared_writes.push_back({to.shared_address, form.bytes});
  if (step.cluster.strict && from != nullptr)
    operation.global_reads.push_back({reinterpret_cast<uint64_t>(from), from_bytes});
  operation.write = [&cluster = step.cluster, to, from, from_bytes, bytes = form.bytes, listeners] {
    // Bytes beyond the source are zeros (ptx, cp.async: src-size).
    std::array<std::byte, 16> content{};
    if (from != nullptr) std::memcpy(content.data(), from, from_bytes);
    std::memcpy(to.bytes, content.data(), bytes);
    std::memset(to.written, 1, bytes);
    ++cluster.progress;
    for (const auto& arrival : *listeners)
      if (--arrival->remaining == 0) arrive_cp_async(cluster, *arrival);
    listeners->clear();
  };
  step.cluster.async.issue(std::move(operation));
}

uint32_t execute_cp_async_copy(Step& step) {
  const CpAsyncForm& form = step.data<CpAsyncForm>();
  for_lanes(step.mask, [&](int lane) { issue_cp_async(step, form, lane); });
  return step.mask;
}

std::optional<LoweringError> lower_cp_async_copy(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(
          opcode, "async ca cg shared shared::cta global L2::cache_hint L2::64B L2::128B L2::256B") ||
      opcode.has("ca") == opcode.has("cg") || !opcode.has("global"))
    return unknown_opcode(opcode);
  CpAsyncForm form{Space::shared_cta, 0};
  if (!opcode.has("shared") && !opcode.has("shared::cta")) return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  const size_t n = operands.size() - (opcode.has("L2::cache_hint") ? 1 : 0);
  const LoweringError wrong =
      wrong_operands(opcode, "a destination, a source, a size of 4, 8 or 16 and a source size if any");
  if (operands.size() < 3 || n < 3 || n > 4 || operands[0].kind != Operand::Kind::address ||
      operands[1].kind != Operand::Kind::address || !operands[2].is_immediate)
    return wrong;
  form.bytes = static_cast<uint32_t>(operands[2].immediate);
  // (ptx, cp.async) .cg copies 16 bytes only.
  if ((form.bytes != 4 && form.bytes != 8 && form.bytes != 16) || (opcode.has("cg") && form.bytes != 16))
    return wrong;
  if (n == 4) {
    if (operands[3].kind != Operand::Kind::value) return wrong;
    (operands[3].bits == 1 ? form.ignore : form.source_size) = 3;
  }
  instruction.data = std::make_shared<const CpAsyncForm>(form);
  instruction.execute = execute_cp_async_copy;
  return std::nullopt;
}

std::optional<LoweringError> lower_cp_async_commit(const Opcode& opcode, Target, Instruction& instruction) {
  if (opcode.text != "cp.async.commit_group") return unknown_opcode(opcode);
  if (!instruction.operands.empty()) return wrong_operands(opcode, "no operands");
  instruction.execute = [](Step& step) -> uint32_t {
    for_lanes(step.mask, [&](int lane) { step.warp.copy_groups[static_cast<size_t>(lane)].commit(); });
    return step.mask;
  };
  return std::nullopt;
}

uint32_t wait(Step& step, uint64_t n) {
  uint32_t done = 0;
  for_lanes(step.mask, [&](int lane) {
    AsyncGroups& groups = step.warp.copy_groups[static_cast<size_t>(lane)];
    if (!groups.at_most(n, false)) return;
    if (step.cluster.strict) step.cluster.strict->races.copies_waited(n, step.issuer(lane), groups);
    groups.trim();
    done |= 1u << lane;
  });
  return done;
}

std::optional<LoweringError> lower_cp_async_wait(const Opcode& opcode, Target, Instruction& instruction) {
  const auto& operands = instruction.operands;
  if (opcode.text == "cp.async.wait_all") {
    if (!operands.empty()) return wrong_operands(opcode, "no operands");
    // The same as commit_group and wait_group 0 (ptx, cp.async.wait_all); a second try finds nothing to
    // commit.
    instruction.execute = [](Step& step) -> uint32_t {
      for_lanes(step.mask, [&](int lane) {
        AsyncGroups& groups = step.warp.copy_groups[static_cast<size_t>(lane)];
        if (groups.has_uncommitted()) groups.commit();
      });
      return wait(step, 0);
    };
    return std::nullopt;
  }
  if (opcode.text != "cp.async.wait_group") return unknown_opcode(opcode);
  if (operands.size() != 1 || !operands[0].is_immediate) return wrong_operands(opcode, "a number of groups");
  instruction.execute = [](Step& step) -> uint32_t { return wait(step, step.operand(0).immediate); };
  return std::nullopt;
}

struct ArriveForm {
  Space space;
  bool adds_itself;  ///< without .noinc the pending count grows by the arrival to come
};

uint32_t execute_arrive(Step& step) {
  const ArriveForm& form = step.data<ArriveForm>();
  for_lanes(step.mask, [&](int lane) {
    const Place place = resolve(step, lane, form.space, step.address(step.operand(0), lane), 8, 8, true);
    Mbarrier* const barrier =
        place.is_shared() ? step.cluster.barrier_at(place.shared_address, step.issuer(lane)) : nullptr;
    if (barrier == nullptr)
      step.fail(Diagnostic::Kind::launch_failed, lane, "the mbarrier is not initialised");
    if (const std::string_view wrong = barrier->wrong_to_use(); !wrong.empty())
      step.fail(Diagnostic::Kind::launch_failed, lane, std::string(wrong));
    BarrierChange change{};
    change.kind = BarrierChange::Kind::track;
    change.adds_itself = form.adds_itself, change.is_generic = form.space == Space::generic;
    change.before = *barrier;
    if (form.adds_itself) {
      // One over the largest count is taken back by the arrival itself (H200: MB-12 at 2^20 - 1).
      if (barrier->pending > Mbarrier::max_count)
        step.fail(Diagnostic::Kind::launch_failed, lane, "the pending count of the mbarrier exceeds 2^20");
      ++barrier->pending;
      Cta& cta = *step.cluster.cta_at(place.shared_address);
      MbarrierObject::Bytes& phase =
          cta.mbarriers.at(place.shared_address & shared_offset_mask).bytes_of_phase();
      ++phase.added;
      phase.added_line = step.instruction.line;
    }
    uint64_t no_token = 0;
    const Steps& steps = steps_for(step.cluster.settings());
    steps.barrier(change, *barrier, no_token);
    auto arrival = std::make_shared<CopyArrival>();
    arrival->barrier = place.shared_address;
    if (step.cluster.strict) {
      step.cluster.strict->barrier_used(place.shared_address, step.issuer(lane));
      arrival->copies = step.cluster.strict->races.copies_of(step.issuer(lane));
    }
    for (const auto& cp_async_copy : step.warp.copies[static_cast<size_t>(lane)])
      if (const auto listeners = cp_async_copy.lock()) {
        ++arrival->remaining;
        listeners->push_back(arrival);
      }
    if (arrival->remaining == 0 && steps.arrives_without_copies(form.adds_itself))
      arrive_cp_async(step.cluster, *arrival);
  });
  return step.mask;
}

std::optional<LoweringError> lower_arrive(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "async mbarrier arrive noinc shared shared::cta b64") ||
      !opcode.has("b64"))
    return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (operands.size() != 1 || operands[0].kind != Operand::Kind::address)
    return wrong_operands(opcode, "an address");
  instruction.data = std::make_shared<const ArriveForm>(ArriveForm{space_of(opcode), !opcode.has("noinc")});
  instruction.execute = execute_arrive;
  return std::nullopt;
}

const RegisteredFamily cp_async_copy("cp.async", lower_cp_async_copy);
const RegisteredFamily cp_async_commit("cp.async.commit_group", lower_cp_async_commit);
const RegisteredFamily wait_group("cp.async.wait_group", lower_cp_async_wait);
const RegisteredFamily wait_all("cp.async.wait_all", lower_cp_async_wait);
const RegisteredFamily mbarrier_arrive("cp.async.mbarrier", lower_arrive);

}  // namespace
}  // namespace assay::emulator
