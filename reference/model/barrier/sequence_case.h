// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "reference/model/case_field.h"
#include "reference/model/spelling.h"

namespace assay {

/// What a program is run by.
enum class SequenceMachine : uint32_t { barriers, tensor_memory };

/// Commands of barriers; `amount` is arrivals, bytes, a parity or nanoseconds; `column` is not 0 where
/// another CTA of the cluster executes it, of a rank that is higher by so much, around the end.
enum class BarrierOp : uint32_t {
  init,
  invalidate,
  arrive,
  arrive_drop,
  expect_tx,
  complete_tx,
  arrive_expect_tx,
  test_parity,
  test_state,
  arrive_no_complete,
  arrive_drop_no_complete,
  arrive_drop_expect_tx,
  pending_count,  ///< of the token of the last arrival
  try_parity,     ///< amount: the parity, and above it the time limit in nanoseconds
  try_state,      ///< amount: the time limit
  read_word,      ///< invalidates the barrier and reads its 64 bits
  /// A copy, an arrival at its end that adds itself to what is missing, and arrivals of amount, all that were
  /// missing; answers whether the phase is over and the copy is there. SequenceStep::idle_copies: no copy.
  copies_arrive,
  copies_arrive_noinc,  ///< the same of one arrival fewer: that at the end of the copy adds nothing
  /// Arrivals of all that each phase expects, one phase after the other; amount: how many phases, and
  /// phase_arrivals above them. Answers whether the last one is over.
  pass_phases,
  /// An instruction that writes behind the thread's back as many bytes as the phase lacks, and no arrival
  /// (model::AsyncWrite); answers 0 where the phase is not over then, else what the words there hold.
  bytes_arrive,
};
inline constexpr uint32_t barrier_ops = 20;
inline constexpr uint32_t most_phases = 255;
constexpr uint32_t phases_of(uint32_t amount) {
  return amount & most_phases;
}
constexpr uint32_t phase_arrivals(uint32_t amount) {
  return amount >> 8;
}
constexpr uint32_t phases_amount(uint32_t phases, uint32_t arrivals) {
  return phases | arrivals << 8;
}
/// Longest time limit of a try, nanoseconds.
inline constexpr uint32_t longest_try = 20'000;

/// Operations that PTX has for the barrier of another CTA.
constexpr bool may_be_remote(BarrierOp op) {
  return op == BarrierOp::arrive || op == BarrierOp::arrive_drop || op == BarrierOp::expect_tx ||
         op == BarrierOp::complete_tx || op == BarrierOp::arrive_expect_tx ||
         op == BarrierOp::arrive_drop_expect_tx || op == BarrierOp::bytes_arrive;
}

/// Arrivals and counts of bytes, which several lanes of a warp may execute at once: each of them counts. What
/// arrivals of several lanes are answered depends on their order; nobody looks at it.
constexpr bool may_be_of_several(BarrierOp op) {
  return (may_be_remote(op) && op != BarrierOp::bytes_arrive) || op == BarrierOp::arrive_no_complete ||
         op == BarrierOp::arrive_drop_no_complete;
}

/// All but that which has a state and no address.
constexpr bool may_be_generic(BarrierOp op) {
  return op != BarrierOp::pending_count;
}

/// Commands of tensor memory; `amount` is columns, a seed of cells, or a choice of operands.
enum class TmemOp : uint32_t {
  allocate,    ///< column: the warp that does it
  deallocate,  ///< column: the warp that does it
  store,
  wait_store,
  load,  ///< amount: 0, or 1 where each column is a load of its own, all before one wait; more: tmem_forms.h
  multiply,
  commit,    ///< column: the barrier that it tells, 0 or 1
  wait,      ///< column: the barrier
  exchange,  ///< allocates what is only to be had once another warp has given allocation `column` back
  copy,      ///< amount: shape (layout::tmem_copy_shapes) + 6 times the matrix, 0 to 3
  shift,
  replace,  ///< a load and, once it has been waited for, a store into the same cells that is waited for too
  load_wait_store,  ///< loads of a column each, a wait for the stores before them, and one for the loads
};
inline constexpr uint32_t tmem_ops = 13, commit_barriers = 2, tmem_warps = 4, tmem_sources = 4,
                          most_warps = 16;
/// Allocations that a program names: as many as there may be of 32 columns.
inline constexpr uint32_t tmem_targets = 16;

/// Those that give an instruction an address of shared memory.
constexpr bool may_be_generic(TmemOp op) {
  return op == TmemOp::allocate || op == TmemOp::exchange || op == TmemOp::commit;
}

constexpr bool is_of_copies(BarrierOp op) {
  return op == BarrierOp::copies_arrive || op == BarrierOp::copies_arrive_noinc;
}
inline constexpr uint32_t idle_copies_ways = 3;
inline constexpr uint32_t bystander_arrivals = 3;

struct SequenceStep {
  uint32_t op = 0;      ///< BarrierOp or TmemOp
  uint32_t target = 0;  ///< barrier, 0 to 3, or allocation, 0 to 15
  uint32_t column = 0;  ///< of the allocation, or as TmemOp says; barriers: where the step is another CTA's
  uint32_t amount = 0;
  /// A bit for each lane of the warp that executes the step, all of them at once; several: of those that
  /// may_be_of_several.
  uint32_t lanes = 1;
  /// The instruction says no state space: it names its barrier, or where the address of an allocation goes,
  /// by a generic address. Of those that may_be_generic.
  bool is_generic = false;
  /// Of barriers: which of the spellings of the instruction that mean the same, by any number below
  /// most_spellings.
  uint32_t spelling = 0;
  /// Of arrivals at the end of copies, where none is under way: 1, the thread makes none; 2, it has waited
  /// for them.
  uint32_t idle_copies = 0;
  /// Of barriers, several lanes: which of the two low bits of a lane's number are added, bit by bit, to its
  /// target.
  uint32_t apart = 0;
  auto operator<=>(const SequenceStep&) const = default;
};

constexpr uint32_t target_of(const SequenceStep& s, uint32_t lane) {
  return s.target ^ (lane & s.apart);
}

/// A program: plain data, serialises to JSON without loss.
struct SequenceCase {
  static constexpr uint32_t most_steps = 24, targets = 4, most_place = 216 << 10;
  SequenceMachine machine = SequenceMachine::barriers;
  uint32_t warps = 4;  ///< of the CTA: 4, 8, 12 or 16; of a program of tensor memory, which the last four run
  /// Of a program of tensor memory: the thread, of those that run it, that issues products, copies, shifts
  /// and commits. Of barriers where some step is another CTA's: the rank of the CTA that has them.
  uint32_t issuer = 0;
  uint32_t cluster_size = 2;  ///< of the latter: 2, 4 or 8
  /// The other CTAs of that cluster have barriers at the same place, each of bystander_arrivals, which no
  /// step names.
  bool has_bystanders = false;
  /// Of barriers: bytes from the start of the shared window to them, a multiple of 8.
  uint32_t place = 0;
  /// Of barriers: ordinary stores have written found_word where barrier 0 lies, and steps on it come without
  /// an mbarrier.init. Of such a program all steps are on that barrier and by one lane of its CTA.
  bool is_found = false;
  uint64_t found_word = 0;
  uint32_t count = 1;  ///< steps in use; the others are zero
  std::array<SequenceStep, most_steps> steps{};
  /// Some step is another CTA's, or writes shared memory asynchronously: in a launch without clusters that is
  /// an illegal instruction (H200: BULK-AMB-03).
  bool needs_cluster() const {
    if (machine != SequenceMachine::barriers) return false;
    for (uint32_t i = 0; i < count && i < most_steps; ++i)
      if (steps[i].column != 0 || static_cast<BarrierOp>(steps[i].op) == BarrierOp::bytes_arrive) return true;
    return false;
  }
  auto operator<=>(const SequenceCase&) const = default;
};

// The members of programs of steps.

template <typename Step, typename Visit>
requires std::same_as<std::remove_const_t<Step>, SequenceStep>
void visit_fields(Step& s, const Visit& visit) {
  ASSAY_FIELD(visit, s, amount);
  ASSAY_FIELD(visit, s, apart);
  ASSAY_FIELD(visit, s, column);
  ASSAY_FIELD_AS("generic", visit, s, is_generic);
  ASSAY_FIELD(visit, s, idle_copies);
  ASSAY_FIELD(visit, s, lanes);
  ASSAY_FIELD(visit, s, op);
  ASSAY_FIELD(visit, s, spelling, .most = most_spellings - 1);
  ASSAY_FIELD(visit, s, target);
}

/// In case files a machine is its number.
constexpr uint32_t count_of(SequenceMachine) {
  return 2;
}
inline constexpr uint32_t sequence_warps[] = {4, 8, 12, 16}, sequence_clusters[] = {2, 4, 8};

/// But for the steps, of which a file has those in use, one at least.
template <typename Program, typename Visit>
requires std::same_as<std::remove_const_t<Program>, SequenceCase>
void visit_fields(Program& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, cluster_size, .values = sequence_clusters, .told = elsewhere);
  ASSAY_FIELD(visit, c, found_word, .called = "word in place of barrier 0", .shows = as_hex);
  ASSAY_FIELD(visit, c, has_bystanders, .told = elsewhere);
  ASSAY_FIELD(visit, c, is_found, .told = elsewhere);
  ASSAY_FIELD(visit, c, issuer, .most = 127, .told = elsewhere);
  ASSAY_FIELD(visit, c, machine, .told = elsewhere);
  ASSAY_FIELD(visit, c, place, .unit = "bytes", .most = SequenceCase::most_place, .multiple = 8,
              .called = "barriers at byte");
  ASSAY_FIELD(visit, c, warps, .values = sequence_warps, .told = elsewhere);
}

}  // namespace assay
