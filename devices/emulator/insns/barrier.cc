// SPDX-License-Identifier: Apache-2.0

#include "devices/emulator/insns/control.h"
#include "devices/emulator/machine/flow.h"
#include "devices/emulator/machine/launch.h"
#include "devices/emulator/machine/strict.h"
#include "devices/emulator/machine/tmem.h"

// bar, barrier, barrier.cluster (ptx, Parallel Synchronization and Communication
// Instructions).
namespace assay::emulator {
namespace {

constexpr uint32_t all_threads = ~0u;

enum class BarrierReduction : uint8_t { none, popc, all, any };

struct BarrierForm {
  bool waits = true;
  BarrierReduction reduction = BarrierReduction::none;
  int8_t destination = -1, id = 0, count = -1, predicate = -1;  ///< operand numbers, -1: absent
};

uint32_t number_of(const Cta& cta, const NamedBarrier& barrier) {
  return static_cast<uint32_t>(&barrier - cta.barriers.data());
}

void complete(Cta& cta, NamedBarrier& barrier) {
  if (StrictMode* const strict = cta.cluster->strict.get()) {
    if (barrier.is_apart) strict->barrier_met_apart(cta, number_of(cta, barrier));
    strict->races.order.cta_completes(cta.rank, number_of(cta, barrier), barrier.expected == all_threads);
  }
  barrier.last_popc = barrier.popc;
  barrier.last_all = barrier.all;
  barrier.last_any = barrier.any;
  const uint64_t generation = barrier.generation + 1;
  const NamedBarrier last = barrier;
  barrier = {};
  barrier.generation = generation;
  barrier.last_popc = last.last_popc;
  barrier.last_all = last.last_all;
  barrier.last_any = last.last_any;
  ++cta.cluster->progress;
}

void complete_if_full(Cta& cta, NamedBarrier& barrier) {
  if (barrier.expected == 0 || barrier.arrived == 0) return;
  const uint32_t wanted = barrier.expected == all_threads ? cta.live_threads : barrier.expected;
  if (barrier.arrived >= wanted) complete(cta, barrier);
}

void note_arrival(const Step& step, NamedBarrier& barrier, uint32_t lanes) {
  StrictMode* const strict = step.cluster.strict.get();
  if (strict == nullptr) return;
  const Issuer issuer = step.issuer(__builtin_ctz(lanes));
  if (barrier.first.line == 0) barrier.first = issuer;
  set_counters(step.warp.went_past, lanes, behind_all);
  const bool is_elsewhere = barrier.first.line != issuer.line && barrier.expected == all_threads;
  if (is_elsewhere && barrier.first.thread / warp_lanes != step.warp.index && is_aligned(step.instruction))
    strict->barrier_met_elsewhere(barrier.first, issuer);
  strict->races.order.cta_arrives(step.lanes_of(lanes), number_of(step.cta, barrier));
}

void note_departure(const Step& step, const BarrierForm& form, const NamedBarrier& barrier, uint32_t lanes) {
  if (StrictMode* const strict = step.cluster.strict.get(); strict != nullptr && lanes != 0)
    strict->races.order.cta_leaves(step.lanes_of(lanes), number_of(step.cta, barrier), form.waits);
}

/// `is_apart`: other lanes of the warp are elsewhere.
void arrive(Step& step, const BarrierForm& form, int lane, uint32_t extra_threads, bool is_apart) {
  const uint64_t id = step.value(step.operand(static_cast<size_t>(form.id)), lane);
  if (id >= step.cta.barriers.size())
    step.fail(Diagnostic::Kind::illegal_instruction, lane,
              "barrier " + std::to_string(id) + " does not exist: there are 16");
  NamedBarrier& barrier = step.cta.barriers[id];
  uint32_t expected = all_threads;
  if (form.count >= 0) {
    expected = static_cast<uint32_t>(step.value(step.operand(static_cast<size_t>(form.count)), lane));
    if (expected == 0 || expected % warp_lanes != 0 || expected > 1024)
      step.fail(Diagnostic::Kind::illegal_instruction, lane,
                "the thread count " + std::to_string(expected) +
                    " of a barrier is not a multiple of 32 up to 1024");
  }
  if (barrier.expected != 0 && barrier.expected != expected)
    step.fail(Diagnostic::Kind::launch_failed, lane,
              "threads give barrier " + std::to_string(id) + " different thread counts in one phase");
  barrier.expected = expected;
  barrier.arrived += 1 + (form.count >= 0 ? extra_threads : 0);
  if (expected != all_threads && barrier.arrived > expected)
    step.fail(Diagnostic::Kind::launch_failed, lane,
              "more threads arrive at barrier " + std::to_string(id) + " than its count says");
  if (form.predicate >= 0) {
    const bool holds = step.value(step.operand(static_cast<size_t>(form.predicate)), lane) != 0;
    barrier.popc += holds;
    barrier.all &= holds;
    barrier.any |= holds;
  }
  LaneState& state = step.warp.lane_state[static_cast<size_t>(lane)];
  state.token = barrier.generation;
  state.has_arrived = true;
  state.cta_barrier = static_cast<uint32_t>(id);
  barrier.is_apart |= is_apart;
  if (is_apart) step.warp.apart |= 1u << lane;
  note_arrival(step, barrier, 1u << lane);
  ++step.cluster.progress;
  complete_if_full(step.cta, barrier);
}

/// All live lanes of a warp arrive together, with numbers that are written out: as lane by lane. False: some
/// lane would be refused.
bool arrive_together(Step& step, const BarrierForm& form) {
  if (form.predicate >= 0 || step.mask != step.warp.live ||
      !step.operand(static_cast<size_t>(form.id)).is_immediate ||
      (form.count >= 0 && !step.operand(static_cast<size_t>(form.count)).is_immediate))
    return false;
  const auto number = [&](int8_t operand) { return step.operand(static_cast<size_t>(operand)).immediate; };
  const uint64_t id = number(form.id);
  if (id >= step.cta.barriers.size()) return false;
  NamedBarrier& barrier = step.cta.barriers[id];
  uint32_t expected = all_threads;
  uint32_t arriving = static_cast<uint32_t>(__builtin_popcount(step.mask));
  if (form.count >= 0) {
    expected = static_cast<uint32_t>(number(form.count));
    arriving = warp_lanes;
    if (expected == 0 || expected % warp_lanes != 0 || expected > 1024 ||
        barrier.arrived + arriving > expected)
      return false;
  }
  if (barrier.expected != 0 && barrier.expected != expected) return false;
  barrier.expected = expected;
  barrier.arrived += arriving;
  step.warp.waits_together = form.waits;
  step.warp.awaited_generation = barrier.generation;
  note_arrival(step, barrier, step.mask);
  step.cluster.progress += static_cast<uint64_t>(__builtin_popcount(step.mask));
  complete_if_full(step.cta, barrier);
  return true;
}

uint32_t execute_barrier(Step& step) {
  const BarrierForm& form = step.data<BarrierForm>();
  Warp& warp = step.warp;
  uint32_t fresh = 0;
  if (!warp.waits_together)
    for_lanes(step.mask, [&](int lane) {
      if (!warp.lane_state[static_cast<size_t>(lane)].has_arrived) fresh |= 1u << lane;
    });
  if (warp.waits_together || (fresh == step.mask && arrive_together(step, form))) {
    const NamedBarrier& barrier = step.cta.barriers[step.operand(static_cast<size_t>(form.id)).immediate];
    if (warp.waits_together && barrier.generation <= warp.awaited_generation) return 0;
    warp.waits_together = false;
    note_departure(step, form, barrier, step.mask);
    return step.mask;
  }
  // A barrier with a count counts whole warps (ptx, bar): lanes that the CTA's last warp lacks arrive with
  // the others.
  const uint32_t absent =
      fresh == warp.live ? static_cast<uint32_t>(warp_lanes - __builtin_popcount(fresh)) : 0;
  for_lanes(fresh, [&](int lane) {
    arrive(step, form, lane, lane == __builtin_ctz(fresh) ? absent : 0, fresh != warp.live);
  });
  uint32_t done = 0, left_together = 0;
  const NamedBarrier* left = nullptr;
  for_lanes(step.mask, [&](int lane) {
    LaneState& state = step.warp.lane_state[static_cast<size_t>(lane)];
    const NamedBarrier& barrier =
        step.cta.barriers[step.value(step.operand(static_cast<size_t>(form.id)), lane) & 15];
    if (form.waits && barrier.generation <= state.token) return;
    done |= 1u << lane;
    warp.apart &= ~(1u << lane);
    state = {};
    if (left != &barrier && left != nullptr) note_departure(step, form, *left, left_together);
    left_together = (left == &barrier ? left_together : 0) | 1u << lane;
    left = &barrier;
    if (form.destination < 0) return;
    const Operand& destination = step.operand(static_cast<size_t>(form.destination));
    step.set(destination, lane,
             form.reduction == BarrierReduction::popc  ? barrier.last_popc
             : form.reduction == BarrierReduction::all ? barrier.last_all
                                                       : barrier.last_any);
  });
  if (left != nullptr) note_departure(step, form, *left, left_together);
  return done;
}

std::optional<LoweringError> lower_barrier(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "cta sync arrive red aligned popc and or u32 pred"))
    return unknown_opcode(opcode);
  BarrierForm form;
  const auto& operands = instruction.operands;
  const size_t n = operands.size();
  for (const Operand& operand : operands)
    if (operand.kind != Operand::Kind::value) return wrong_operands(opcode, "registers and numbers");
  if (opcode.has("red")) {
    form.reduction = opcode.has("popc")  ? BarrierReduction::popc
                     : opcode.has("and") ? BarrierReduction::all
                                         : BarrierReduction::any;
    if (!opcode.has("popc") && !opcode.has("and") && !opcode.has("or")) return unknown_opcode(opcode);
    if (n < 3 || n > 4 || !operands[0].is_register || operands[n - 1].bits != 1)
      return wrong_operands(opcode, "a destination, a barrier, a thread count if any and a predicate");
    form.destination = 0;
    form.id = 1;
    form.count = n == 4 ? 2 : -1;
    form.predicate = static_cast<int8_t>(n - 1);
  } else if (opcode.has("sync")) {
    if (n < 1 || n > 2) return wrong_operands(opcode, "a barrier and a thread count if any");
    form.count = n == 2 ? 1 : -1;
  } else if (opcode.has("arrive")) {
    if (n != 2) return wrong_operands(opcode, "a barrier and a thread count");
    form.waits = false;
    form.count = 1;
  } else {
    return unknown_opcode(opcode);
  }
  instruction.data = std::make_shared<const BarrierForm>(form);
  instruction.execute = execute_barrier;
  return std::nullopt;
}

void complete_cluster_if_full(Cluster& cluster) {
  uint32_t live = 0;
  for (const auto& cta : cluster.ctas) live += cta->live_threads;
  if (cluster.barrier_arrived == 0 || cluster.barrier_arrived < live) return;
  cluster.barrier_arrived = 0;
  ++cluster.barrier_generation;
  if (cluster.strict) cluster.strict->races.order.cluster_completes();
  ++cluster.progress;
}

uint32_t execute_cluster_arrive(Step& step) {
  for_lanes(step.mask, [&](int lane) {
    uint64_t& token = step.warp.cluster_token[static_cast<size_t>(lane)];
    if (token != 0)
      step.fail(Diagnostic::Kind::launch_failed, lane,
                "barrier.cluster.arrive is executed again before barrier.cluster.wait");
    token = step.cluster.barrier_generation + 1;
    ++step.cluster.barrier_arrived;
    if (step.cluster.strict && !step.instruction.opcode->has("relaxed"))
      step.cluster.strict->cluster_release(step.issuer(lane));
    ++step.cluster.progress;
  });
  if (step.cluster.strict)
    step.cluster.strict->races.order.cluster_arrives(step.lanes_of(step.mask),
                                                     step.instruction.order.releases);
  complete_cluster_if_full(step.cluster);
  return step.mask;
}

uint32_t execute_cluster_wait(Step& step) {
  uint32_t done = 0;
  for_lanes(step.mask, [&](int lane) {
    uint64_t& token = step.warp.cluster_token[static_cast<size_t>(lane)];
    if (token == 0)
      step.fail(Diagnostic::Kind::launch_failed, lane,
                "barrier.cluster.wait is executed without barrier.cluster.arrive");
    if (step.cluster.barrier_generation < token) return;
    token = 0;
    done |= 1u << lane;
  });
  if (step.cluster.strict && done != 0) step.cluster.strict->races.order.cluster_leaves(step.lanes_of(done));
  return done;
}

std::optional<LoweringError> lower_cluster_barrier(const Opcode& opcode, Target, Instruction& instruction) {
  if (!instruction.operands.empty()) return wrong_operands(opcode, "no operands");
  if (opcode.has("arrive") && only_known_qualifiers(opcode, "cluster arrive release relaxed aligned"))
    instruction.execute = execute_cluster_arrive;
  else if (opcode.has("wait") && only_known_qualifiers(opcode, "cluster wait acquire aligned"))
    instruction.execute = execute_cluster_wait;
  else
    return unknown_opcode(opcode);
  return std::nullopt;
}

const RegisteredFamily bar("bar", lower_barrier);
const RegisteredFamily barrier_family("barrier", lower_barrier);
const RegisteredFamily cluster_barrier("barrier.cluster", lower_cluster_barrier);

}  // namespace

void recheck_barriers(Cta& cta) {
  for (NamedBarrier& barrier : cta.barriers) complete_if_full(cta, barrier);
  complete_cluster_if_full(*cta.cluster);
}

void exit_lanes(Step& step, uint32_t lanes) {
  Warp& warp = step.warp;
  for_lanes(lanes, [&](int lane) {
    if (step.cluster.strict)
      step.cluster.strict->exited(step.issuer(lane), warp.bulk_groups[static_cast<size_t>(lane)]);
    // A thread that arrived and left counts by having left.
    uint64_t& token = warp.cluster_token[static_cast<size_t>(lane)];
    if (token > step.cluster.barrier_generation) --step.cluster.barrier_arrived;
    token = 0;
  });
  if (step.cluster.strict) {
    step.cluster.strict->lanes_exit(warp, lanes);
    step.cluster.strict->races.order.exits(step.lanes_of(lanes));
  }
  set_counters(warp.pc, lanes, behind_all);
  warp.live &= ~lanes;
  warp.blocked &= ~lanes;
  warp.demoted &= ~lanes;
  step.cta.live_threads -= static_cast<uint32_t>(__builtin_popcount(lanes));
  if (step.cta.live_threads == 0 && step.cluster.strict)
    step.cluster.strict->cta_ended(step.issuer(__builtin_ctz(lanes)));
  // (ptx, tcgen05.alloc) all of it is freed before the kernel ends.
  if (step.cta.live_threads == 0 && step.cta.tensor && !step.cta.tensor->is_empty())
    step.fail(Diagnostic::Kind::launch_failed, __builtin_ctz(lanes),
              "the CTA ends with tensor memory allocated from column " +
                  std::to_string(step.cta.tensor->allocations().begin()->first) +
                  ": tcgen05.dealloc is missing");
  ++step.cluster.progress;
  recheck_barriers(step.cta);
}

}  // namespace assay::emulator
