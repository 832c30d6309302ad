// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <iterator>
#include <utility>
#include <vector>

#include "reference/model/as_if.h"

/// Bends of programs of mbarriers and of tensor memory.
namespace assay::model {
namespace {

using Event = BarrierEvent;
using State = BarrierState;

void end_phase(State& s) {
  ++s.phase;
  s.missing = s.count;
}
bool has_ended(const Event& e, const State& after) {
  return after.phase != e.before.phase && e.op != BarrierOp::init;
}

/// An arrival counts as many as `counted` says.
template <uint32_t (*counted)(const Event&)>
void counts_arrivals(const Event& e, State& after) {
  const uint32_t right = e.arrivals(), now = counted(e);
  if (right == now || now > e.before.missing) return;
  after = e.before;
  if (e.expects()) after.bytes += e.amount;
  after.missing -= now;
  if (e.drops()) after.count -= std::min(now, after.count);
  if (after.missing == 0 && after.bytes == 0) end_phase(after);
}
/// expect_tx adds as many bytes as `counted` says.
template <uint32_t (*counted)(uint32_t)>
void counts_bytes(const Event& e, State& after) {
  if (!e.expects() || counted(e.amount) == e.amount) return;
  after = e.before;
  after.bytes += counted(e.amount);
  after.missing -= std::min(after.missing, e.arrivals());
  if (e.drops() && after.count != 0) --after.count;
  if (after.missing == 0 && after.bytes == 0) end_phase(after);
}
uint32_t one_each(const Event& e) {
  return std::min(1u, e.arrivals());
}
uint32_t low_8_bits(const Event& e) {
  return e.arrivals() & 0xff;
}
uint32_t low_16_bits(const Event& e) {
  return e.arrivals() & 0xffff;
}
uint32_t one_from_others(const Event& e) {
  return e.is_remote ? std::min(1u, e.arrivals()) : e.arrivals();
}
uint32_t one_at_generic_addresses(const Event& e) {
  return e.is_generic ? std::min(1u, e.arrivals()) : e.arrivals();
}
uint32_t none_at_generic_addresses(const Event& e) {
  return e.is_generic ? 0 : e.arrivals();
}
/// Nothing but init, which must find a place, does anything.
void ignores_generic_addresses(const Event& e, State& after) {
  if (e.is_generic && e.op != BarrierOp::init) after = e.before;
}
void noinc_adds(const Event& e, State& after) {
  if (e.op != BarrierOp::copies_arrive_noinc) return;
  after = e.before;
  after.missing = 1;
}
/// An arrival that has no copies to wait for does not come.
template <BarrierOp op>
void waits_for_copies_that_are_not_there(const Event& e, State& after) {
  if (e.op != op || e.has_copies) return;
  after = e.before;
  after.missing = 1;
}
/// The arrival at the end of the copy ends a phase that lacks one; that of the thread is of the next.
void without_noinc_adds_nothing(const Event& e, State& after) {
  if (e.op != BarrierOp::copies_arrive || e.amount != 1 || after.missing == 0) return;
  if (--after.missing == 0) end_phase(after);
}
uint32_t none_from_others(const Event& e) {
  return e.is_remote ? 0 : e.arrivals();
}
uint32_t all_but_the_last(const Event& e) {
  return e.arrivals() == e.before.missing ? e.arrivals() - 1 : e.arrivals();
}
uint32_t none_but_the_last(const Event& e) {
  return e.arrivals() + 1 == e.before.missing ? 0 : e.arrivals();
}
uint32_t none_of_several_but_the_last(const Event& e) {
  return e.before.count > 2 && e.before.missing == 2 && e.arrivals() == 1 ? 0 : e.arrivals();
}
uint32_t low_16_bits_of(uint32_t bytes) {
  return bytes & 0xffff;
}
uint32_t whole_16s(uint32_t bytes) {
  return bytes & ~15u;
}
uint32_t at_least_one(uint32_t bytes) {
  return std::max(bytes, 1u);
}
uint32_t none_of(uint32_t) {
  return 0;
}
template <int bit>
uint32_t without_bit(uint32_t bytes) {
  return bytes & ~(1u << bit);
}
template <uint32_t mask>
void init_takes(const Event& e, State& after) {
  if (e.op == BarrierOp::init && (after.count & mask) != 0) after.count = after.missing = after.count & mask;
}
template <int by>
void init_asks(const Event& e, State& after) {
  if (e.op == BarrierOp::init && static_cast<int>(after.count) + by > 0) after.missing = after.count += by;
}
template <int by>
void next_phase_lacks(const Event& e, State& after) {
  if (has_ended(e, after) && static_cast<int>(after.missing) + by > 0) after.missing += by;
}
/// The operation that brings the end about does not.
template <BarrierOp op>
void does_not_end(const Event& e, State& after) {
  if (e.op != op || !has_ended(e, after)) return;
  after = e.before;
  after.missing = 0;
  after.bytes = 0;
}

AsyncWrite nothing(const AsyncWrite& w) {
  return {0, w.op, w.seed};
}
AsyncWrite unsigned_one(const AsyncWrite& w) {
  const AsyncOp op = w.op == AsyncOp::min_s32   ? AsyncOp::min_u32
                     : w.op == AsyncOp::max_s32 ? AsyncOp::max_u32
                                                : w.op;
  return {w.bytes, op, w.seed};
}

template <int... bits>
void add_lost_bits(std::vector<Bend>& all, std::integer_sequence<int, bits...>) {
  (all.push_back(as_if("MBAR-R04", "one bit of the byte count were dropped", &ProgramBend::barrier,
                       counts_bytes<without_bit<bits>>, &Bend::armed, without_bit<bits>)),
   ...);
}
/// Counts of arrivals are 20 bits wide.
template <int... bits>
void add_narrow_counts(std::vector<Bend>& all, std::integer_sequence<int, bits...>) {
  (all.push_back(as_if("MBAR-R01", "mbarrier.init took the low bits of its count alone",
                       &ProgramBend::barrier, init_takes<(2u << bits) - 1>)),
   ...);
}

/// Whether an allocation is asked for while another lives.
bool allocates_beside(const SequenceCase& c) {
  if (c.machine != SequenceMachine::tensor_memory) return false;
  std::array<bool, SequenceCase::targets> lives{};
  for (uint32_t i = 0; i < c.count; ++i) {
    const SequenceStep& s = c.steps[i];
    const auto op = static_cast<TmemOp>(s.op);
    if (op == TmemOp::exchange) return true;
    if (op == TmemOp::allocate && std::any_of(lives.begin(), lives.end(), [](bool one) { return one; }))
      return true;
    if (op == TmemOp::allocate || op == TmemOp::deallocate) lives[s.target] = op == TmemOp::allocate;
  }
  return false;
}
/// An allocation says no state space of the place that its address goes to.
bool allocates_at_generic_address(const SequenceCase& c) {
  return c.machine == SequenceMachine::tensor_memory &&
         std::any_of(c.steps.begin(), c.steps.begin() + c.count, [](const SequenceStep& s) {
           return static_cast<TmemOp>(s.op) == TmemOp::allocate && s.is_generic;
         });
}
/// What a program does not give back itself is given back at its end.
bool allocates(const SequenceCase& c) {
  return c.machine == SequenceMachine::tensor_memory && c.count != 0;
}
/// The arrivals of the thread then end the phase alone, and the one at the end of the copies comes at any
/// time after it, when the barrier may be gone.
bool lets_one_copy_arrive(const SequenceCase& c) {
  return c.machine == SequenceMachine::barriers &&
         std::any_of(c.steps.begin(), c.steps.begin() + c.count, [](const SequenceStep& s) {
           return static_cast<BarrierOp>(s.op) == BarrierOp::copies_arrive && s.amount == 1;
         });
}
bool uses_products(const SequenceCase& c) {
  return c.machine == SequenceMachine::tensor_memory &&
         std::any_of(c.steps.begin(), c.steps.begin() + c.count,
                     [](const SequenceStep& s) { return static_cast<TmemOp>(s.op) == TmemOp::commit; });
}

// clang-format off
constexpr Bend rows[] = {
    as_if("MBAR-R01", "mbarrier.init expected one arrival more", &ProgramBend::barrier, init_asks<1>),
    as_if("MBAR-R01", "mbarrier.init expected one arrival fewer", &ProgramBend::barrier, init_asks<-1>),
    as_if("MBAR-R01", "mbarrier.init kept the pending bytes of the barrier before", &ProgramBend::barrier,
          [](const Event& e, State& after) {
         if (e.op == BarrierOp::init) after.bytes = e.before.bytes; }),
    as_if("MBAR-R01", "mbarrier.init kept the phase of the barrier before", &ProgramBend::barrier,
          [](const Event& e, State& after) {
         if (e.op == BarrierOp::init) after.phase = e.before.phase & 1; }),

    as_if("MBAR-R02", "an arrival counted one", &ProgramBend::barrier, counts_arrivals<one_each>),
    as_if("MBAR-R02", "an arrival counted the low 8 bits of its count", &ProgramBend::barrier,
          counts_arrivals<low_8_bits>),
    as_if("MBAR-R02", "an arrival counted the low 16 bits of its count", &ProgramBend::barrier,
          counts_arrivals<low_16_bits>),
    as_if("MBAR-R02", "an arrival from another CTA counted one", &ProgramBend::barrier,
          counts_arrivals<one_from_others>),
    as_if("MBAR-R02", "an arrival from another CTA did not count", &ProgramBend::barrier,
          counts_arrivals<none_from_others>),
    as_if("MBAR-R02", "the last arrival of a phase did not count", &ProgramBend::barrier,
          counts_arrivals<all_but_the_last>),
    as_if("MBAR-R02", "an arrival that leaves one pending did not count", &ProgramBend::barrier,
          counts_arrivals<none_but_the_last>),
    as_if("MBAR-R02", "an arrival at a barrier of several threads that leaves one pending did not count",
          &ProgramBend::barrier, counts_arrivals<none_of_several_but_the_last>),

    as_if("MBAR-R03", "later phases still expected the thread", &ProgramBend::barrier,
          [](const Event& e, State& after) {
       if (!e.drops()) return;
       after.count = e.before.count;
       if (has_ended(e, after)) after.missing = after.count; }),
    as_if("MBAR-R03", "the thread left without arriving", &ProgramBend::barrier,
          [](const Event& e, State& after) {
       if (!e.drops()) return;
       const State left = after;
       after = e.before;
       after.count = left.count;
       if (e.expects()) after.bytes += e.amount; }),
    as_if("MBAR-R03", "one thread left, whatever the count", &ProgramBend::barrier,
          [](const Event& e, State& after) {
       if (!e.drops()) return;
       after.count = e.before.count - 1;
       if (has_ended(e, after)) after.missing = after.count; }),

    as_if("MBAR-R04", "expect_tx took the low 16 bits of its byte count", &ProgramBend::barrier,
          counts_bytes<low_16_bits_of>, &Bend::armed, low_16_bits_of),
    as_if("MBAR-R04", "expect_tx rounded its byte count down to a multiple of 16", &ProgramBend::barrier,
          counts_bytes<whole_16s>),
    as_if("MBAR-R04", "expect_tx of 0 bytes expected one", &ProgramBend::barrier,
          counts_bytes<at_least_one>, &Bend::armed, at_least_one),
    as_if("MBAR-R04", "expect_tx did nothing", &ProgramBend::barrier, counts_bytes<none_of>),
    as_if("MBAR-R04", "expect_tx of 0 bytes did not arrive", &ProgramBend::barrier,
          [](const Event& e, State& after) {
         if (e.expects_and_arrives() && e.amount == 0) after = e.before; }),
    as_if("MBAR-R04", "an arrival with expect_tx did not arrive", &ProgramBend::barrier,
          [](const Event& e, State& after) {
       if (!e.expects_and_arrives()) return;
       after = e.before;
       after.bytes += e.amount; }),

    as_if("MBAR-R05", "bytes that came before they were expected were lost", &ProgramBend::barrier,
          [](const Event&, State& after) {
       if (after.bytes >= 0) return;
       after.bytes = 0;
       if (after.missing == 0) end_phase(after); }),
    as_if("MBAR-R05", "bytes that completed were not counted", &ProgramBend::barrier,
          [](const Event& e, State& after) {
         if (e.op == BarrierOp::complete_tx) after = e.before; }),

    as_if("MBAR-R06", "a phase did not wait for bytes", &ProgramBend::barrier,
          [](const Event&, State& after) {
         if (after.missing == 0 && after.bytes > 0) end_phase(after); }),
    as_if("MBAR-R06", "a phase did not wait for arrivals once its bytes were there", &ProgramBend::barrier,
          [](const Event& e, State& after) {
         if (e.op == BarrierOp::complete_tx && after.bytes == 0
           && !has_ended(e, after)) end_phase(after); }),
    as_if("MBAR-R06", "expect_tx could not complete a phase", &ProgramBend::barrier,
          does_not_end<BarrierOp::expect_tx>),
    as_if("MBAR-R06", "complete_tx could not complete a phase", &ProgramBend::barrier,
          does_not_end<BarrierOp::complete_tx>),
    as_if("MBAR-R06", "an arrival could not complete a phase", &ProgramBend::barrier,
          does_not_end<BarrierOp::arrive>),

    as_if("MBAR-R07", "the next phase had one arrival fewer pending", &ProgramBend::barrier,
          next_phase_lacks<-1>),
    as_if("MBAR-R07", "the next phase had one arrival more pending", &ProgramBend::barrier,
          next_phase_lacks<1>),

    as_if("MBAR-R08", "a barrier that all have left expected one thread again", &ProgramBend::barrier,
          [](const Event& e, State& after) {
       if (!e.drops() || after.count != 0) return;
       after.count = 1;
       if (has_ended(e, after)) after.missing = 1; }),
    as_if("MBAR-R08", "the last thread to leave did not complete the phase", &ProgramBend::barrier,
          [](const Event& e, State& after) {
         if (e.drops() && after.count == 0) after.phase = e.before.phase; }),

    as_if("MBAR-R09", "it completed the phase", &ProgramBend::barrier, [](const Event& e, State& after) {
         if (e.is_no_complete() && !has_ended(e, after)) end_phase(after); }),
    as_if("MBAR-R09", "it did not count", &ProgramBend::barrier,
          [](const Event& e, State& after) { if (e.is_no_complete()) after = e.before; }),

    as_if("MBAR-R10", "it returned the state after it", &ProgramBend::state_is_after, true),

    as_if("MBAR-R12", "an arrival at a generic address counted one", &ProgramBend::barrier,
          counts_arrivals<one_at_generic_addresses>),
    as_if("MBAR-R12", "an arrival at a generic address did not count", &ProgramBend::barrier,
          counts_arrivals<none_at_generic_addresses>),
    as_if("MBAR-R12", "what names its barrier by a generic address did nothing", &ProgramBend::barrier,
          ignores_generic_addresses),
    as_if("MBAR-R13", ".noinc added the arrival to those that are pending", &ProgramBend::barrier,
          noinc_adds),
    as_if("MBAR-R13", "with .noinc a thread without copies under way did not arrive", &ProgramBend::barrier,
          waits_for_copies_that_are_not_there<BarrierOp::copies_arrive_noinc>),
    as_if("MBAR-R13", "without .noinc a thread without copies under way did not arrive",
          &ProgramBend::barrier, waits_for_copies_that_are_not_there<BarrierOp::copies_arrive>),
    as_if("MBAR-R13", "without .noinc the arrival were not added to those that are pending",
          &ProgramBend::barrier, without_noinc_adds_nothing),
    as_if("MBAR-R13", "without .noinc the arrival were not added to those that are pending",
          &ProgramBend::loses, lets_one_copy_arrive),
    as_if("MBAR-R14", "its bytes were not counted", &ProgramBend::barrier, [](const Event& e, State& after) {
         if (e.op == BarrierOp::bytes_arrive) after = e.before; }),
    as_if("MBAR-R07",
          "the next phase had one arrival fewer pending where bytes that were written ended the one before",
          &ProgramBend::barrier, [](const Event& e, State& after) {
         if (e.op == BarrierOp::bytes_arrive) next_phase_lacks<-1>(e, after); }),
    as_if("MBAR-R07",
          "the next phase of several arrivals had one more pending where bytes that were written ended the "
          "one before", &ProgramBend::barrier,
          [](const Event& e, State& after) {
         if (e.op == BarrierOp::bytes_arrive && after.count > 1) next_phase_lacks<1>(e, after); }),
    as_if("MBAR-R02", "arrivals of lanes from 24 on did not count where lanes arrive at several barriers",
          &ProgramBend::loses_arrival, [](uint32_t lane) { return lane >= 24; }),
    as_if("MBAR-R02", "arrivals of lanes from 16 on did not count where lanes arrive at several barriers",
          &ProgramBend::loses_arrival, [](uint32_t lane) { return lane >= 16; }),
    as_if("MBAR-R14", "nothing were written", &ProgramBend::written, nothing),
    as_if("MBAR-R14", "red.async ordered signed words as unsigned ones", &ProgramBend::written, unsigned_one),
    as_if("MBAR-R11", "a time limit that passed counted as completion", &ProgramBend::answer,
          [](const SequenceStep& s, bool right) {
       const auto op = static_cast<BarrierOp>(s.op);
       return right || (op == BarrierOp::try_parity && s.amount >> 1 != 0)
         || (op == BarrierOp::try_state && s.amount != 0); }),
    as_if("MBAR-R11", "every phase were complete", &ProgramBend::answer,
          [](const SequenceStep&, bool) { return true; }),
    as_if("MBAR-R11", "no phase were complete", &ProgramBend::answer,
          [](const SequenceStep&, bool) { return false; }),
    as_if("MBAR-R11", "the parity were read the wrong way round", &ProgramBend::answer,
          [](const SequenceStep& s, bool right) {
       const auto op = static_cast<BarrierOp>(s.op);
       return right != (op == BarrierOp::test_parity || op == BarrierOp::try_parity); }),

    as_if("TMEM-R15", "tcgen05.alloc returned columns of another allocation", &ProgramBend::loses,
          allocates_beside),
    as_if("TMEM-R15", "tcgen05.alloc without a state space told nothing", &ProgramBend::loses,
          allocates_at_generic_address),
    as_if("TMEM-R16", "tcgen05.dealloc gave back other columns", &ProgramBend::loses, allocates),
    as_if("SYNC-R01", "tcgen05.commit did not wait for the products", &ProgramBend::loses, uses_products),
    as_if("SYNC-R02", "tcgen05.wait::ld did not wait", &ProgramBend::late_loads, 8),
    as_if("SYNC-R02", "tcgen05.wait::ld did not wait for the last load", &ProgramBend::late_loads, 1),
};
// clang-format on

}  // namespace

std::span<const Bend> sequence_bends() {
  static const auto all = [] {
    std::vector<Bend> made(std::begin(rows), std::end(rows));
    add_lost_bits(made, std::make_integer_sequence<int, 20>());
    add_narrow_counts(made, std::make_integer_sequence<int, 19>());
    return made;
  }();
  return all;
}

std::span<const Bend> arming_bends() {
  static const auto all = [] {
    std::vector<Bend> made;
    std::ranges::copy_if(sequence_bends(), std::back_inserter(made),
                         [](const Bend& bend) { return bend.armed != nullptr; });
    return made;
  }();
  return all;
}

int64_t expected_bytes(int64_t armed, const spec::Readings& readings) {
  const Bend* const bend = readings.bend();
  return bend == nullptr || bend->armed == nullptr ? armed : bend->armed(static_cast<uint32_t>(armed));
}

}  // namespace assay::model
