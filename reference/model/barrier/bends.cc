// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <iterator>
#include <utility>
#include <vector>

#include "reference/model/bend.h"
#include "reference/spec/rules.h"

/// Bends of programs of mbarriers and of tensor memory.
namespace assay::model {
namespace {

using spec::rule;
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
  (all.push_back({.rule = rule("MBAR-R04"),
                  .words = "one bit of the byte count were dropped",
                  .program = {.barrier = counts_bytes<without_bit<bits>>},
                  .armed = without_bit<bits>}),
   ...);
}
/// Counts of arrivals are 20 bits wide.
template <int... bits>
void add_narrow_counts(std::vector<Bend>& all, std::integer_sequence<int, bits...>) {
  (all.push_back({.rule = rule("MBAR-R01"),
                  .words = "mbarrier.init took the low bits of its count alone",
                  .program = {.barrier = init_takes<(2u << bits) - 1>}}),
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
    {.rule = rule("MBAR-R01"), .words = "mbarrier.init expected one arrival more",
     .program = {.barrier = init_asks<1>}},
    {.rule = rule("MBAR-R01"), .words = "mbarrier.init expected one arrival fewer",
     .program = {.barrier = init_asks<-1>}},
    {.rule = rule("MBAR-R01"), .words = "mbarrier.init kept the pending bytes of the barrier before",
     .program = {.barrier = [](const Event& e, State& after) {
         if (e.op == BarrierOp::init) after.bytes = e.before.bytes; }}},
    {.rule = rule("MBAR-R01"), .words = "mbarrier.init kept the phase of the barrier before",
     .program = {.barrier = [](const Event& e, State& after) {
         if (e.op == BarrierOp::init) after.phase = e.before.phase & 1; }}},

    {.rule = rule("MBAR-R02"), .words = "an arrival counted one",
     .program = {.barrier = counts_arrivals<one_each>}},
    {.rule = rule("MBAR-R02"), .words = "an arrival counted the low 8 bits of its count",
     .program = {.barrier = counts_arrivals<low_8_bits>}},
    {.rule = rule("MBAR-R02"), .words = "an arrival counted the low 16 bits of its count",
     .program = {.barrier = counts_arrivals<low_16_bits>}},
    {.rule = rule("MBAR-R02"), .words = "an arrival from another CTA counted one",
     .program = {.barrier = counts_arrivals<one_from_others>}},
    {.rule = rule("MBAR-R02"), .words = "an arrival from another CTA did not count",
     .program = {.barrier = counts_arrivals<none_from_others>}},
    {.rule = rule("MBAR-R02"), .words = "the last arrival of a phase did not count",
     .program = {.barrier = counts_arrivals<all_but_the_last>}},
    {.rule = rule("MBAR-R02"), .words = "an arrival that leaves one pending did not count",
     .program = {.barrier = counts_arrivals<none_but_the_last>}},
    {.rule = rule("MBAR-R02"),
     .words = "an arrival at a barrier of several threads that leaves one pending did not count",
     .program = {.barrier = counts_arrivals<none_of_several_but_the_last>}},

    {.rule = rule("MBAR-R03"), .words = "later phases still expected the thread",
     .program = {.barrier = [](const Event& e, State& after) {
       if (!e.drops()) return;
       after.count = e.before.count;
       if (has_ended(e, after)) after.missing = after.count; }}},
    {.rule = rule("MBAR-R03"), .words = "the thread left without arriving",
     .program = {.barrier = [](const Event& e, State& after) {
       if (!e.drops()) return;
       const State left = after;
       after = e.before;
       after.count = left.count;
       if (e.expects()) after.bytes += e.amount; }}},
    {.rule = rule("MBAR-R03"), .words = "one thread left, whatever the count",
     .program = {.barrier = [](const Event& e, State& after) {
       if (!e.drops()) return;
       after.count = e.before.count - 1;
       if (has_ended(e, after)) after.missing = after.count; }}},

    {.rule = rule("MBAR-R04"), .words = "expect_tx took the low 16 bits of its byte count",
     .program = {.barrier = counts_bytes<low_16_bits_of>}, .armed = low_16_bits_of},
    {.rule = rule("MBAR-R04"), .words = "expect_tx rounded its byte count down to a multiple of 16",
     .program = {.barrier = counts_bytes<whole_16s>}},
    {.rule = rule("MBAR-R04"), .words = "expect_tx of 0 bytes expected one",
     .program = {.barrier = counts_bytes<at_least_one>}, .armed = at_least_one},
    {.rule = rule("MBAR-R04"), .words = "expect_tx did nothing",
     .program = {.barrier = counts_bytes<none_of>}},
    {.rule = rule("MBAR-R04"), .words = "expect_tx of 0 bytes did not arrive",
     .program = {.barrier = [](const Event& e, State& after) {
         if (e.expects_and_arrives() && e.amount == 0) after = e.before; }}},
    {.rule = rule("MBAR-R04"), .words = "an arrival with expect_tx did not arrive",
     .program = {.barrier = [](const Event& e, State& after) {
       if (!e.expects_and_arrives()) return;
       after = e.before;
       after.bytes += e.amount; }}},

    {.rule = rule("MBAR-R05"), .words = "bytes that came before they were expected were lost",
     .program = {.barrier = [](const Event&, State& after) {
       if (after.bytes >= 0) return;
       after.bytes = 0;
       if (after.missing == 0) end_phase(after); }}},
    {.rule = rule("MBAR-R05"), .words = "bytes that completed were not counted",
     .program = {.barrier = [](const Event& e, State& after) {
         if (e.op == BarrierOp::complete_tx) after = e.before; }}},

    {.rule = rule("MBAR-R06"), .words = "a phase did not wait for bytes",
     .program = {.barrier = [](const Event&, State& after) {
         if (after.missing == 0 && after.bytes > 0) end_phase(after); }}},
    {.rule = rule("MBAR-R06"), .words = "a phase did not wait for arrivals once its bytes were there",
     .program = {.barrier = [](const Event& e, State& after) {
         if (e.op == BarrierOp::complete_tx && after.bytes == 0
           && !has_ended(e, after)) end_phase(after); }}},
    {.rule = rule("MBAR-R06"), .words = "expect_tx could not complete a phase",
     .program = {.barrier = does_not_end<BarrierOp::expect_tx>}},
    {.rule = rule("MBAR-R06"), .words = "complete_tx could not complete a phase",
     .program = {.barrier = does_not_end<BarrierOp::complete_tx>}},
    {.rule = rule("MBAR-R06"), .words = "an arrival could not complete a phase",
     .program = {.barrier = does_not_end<BarrierOp::arrive>}},

    {.rule = rule("MBAR-R07"), .words = "the next phase had one arrival fewer pending",
     .program = {.barrier = next_phase_lacks<-1>}},
    {.rule = rule("MBAR-R07"), .words = "the next phase had one arrival more pending",
     .program = {.barrier = next_phase_lacks<1>}},

    {.rule = rule("MBAR-R08"), .words = "a barrier that all have left expected one thread again",
     .program = {.barrier = [](const Event& e, State& after) {
       if (!e.drops() || after.count != 0) return;
       after.count = 1;
       if (has_ended(e, after)) after.missing = 1; }}},
    {.rule = rule("MBAR-R08"), .words = "the last thread to leave did not complete the phase",
     .program = {.barrier = [](const Event& e, State& after) {
         if (e.drops() && after.count == 0) after.phase = e.before.phase; }}},

    {.rule = rule("MBAR-R09"), .words = "it completed the phase",
     .program = {.barrier = [](const Event& e, State& after) {
         if (e.is_no_complete() && !has_ended(e, after)) end_phase(after); }}},
    {.rule = rule("MBAR-R09"), .words = "it did not count",
     .program = {.barrier = [](const Event& e, State& after) { if (e.is_no_complete()) after = e.before; }}},

    {.rule = rule("MBAR-R10"), .words = "it returned the state after it",
     .program = {.state_is_after = true}},

    {.rule = rule("MBAR-R12"), .words = "an arrival at a generic address counted one",
     .program = {.barrier = counts_arrivals<one_at_generic_addresses>}},
    {.rule = rule("MBAR-R12"), .words = "an arrival at a generic address did not count",
     .program = {.barrier = counts_arrivals<none_at_generic_addresses>}},
    {.rule = rule("MBAR-R12"), .words = "what names its barrier by a generic address did nothing",
     .program = {.barrier = ignores_generic_addresses}},
    {.rule = rule("MBAR-R13"), .words = ".noinc added the arrival to those that are pending",
     .program = {.barrier = noinc_adds}},
    {.rule = rule("MBAR-R13"), .words = "with .noinc a thread without copies under way did not arrive",
     .program = {.barrier = waits_for_copies_that_are_not_there<BarrierOp::copies_arrive_noinc>}},
    {.rule = rule("MBAR-R13"), .words = "without .noinc a thread without copies under way did not arrive",
     .program = {.barrier = waits_for_copies_that_are_not_there<BarrierOp::copies_arrive>}},
    {.rule = rule("MBAR-R13"), .words = "without .noinc the arrival were not added to those that are pending",
     .program = {.barrier = without_noinc_adds_nothing}},
    {.rule = rule("MBAR-R13"), .words = "without .noinc the arrival were not added to those that are pending",
     .program = {.loses = lets_one_copy_arrive}},
    {.rule = rule("MBAR-R14"), .words = "its bytes were not counted",
     .program = {.barrier = [](const Event& e, State& after) {
         if (e.op == BarrierOp::bytes_arrive) after = e.before; }}},
    {.rule = rule("MBAR-R07"),
     .words = "the next phase had one arrival fewer pending where bytes that were written "
               "ended the one before",
     .program = {.barrier = [](const Event& e, State& after) {
         if (e.op == BarrierOp::bytes_arrive) next_phase_lacks<-1>(e, after); }}},
    {.rule = rule("MBAR-R07"),
     .words = "the next phase of several arrivals had one more pending where bytes that were written "
               "ended the one before",
     .program = {.barrier = [](const Event& e, State& after) {
         if (e.op == BarrierOp::bytes_arrive && after.count > 1) next_phase_lacks<1>(e, after); }}},
    {.rule = rule("MBAR-R02"),
     .words = "arrivals of lanes from 24 on did not count where lanes arrive at several barriers",
     .program = {.loses_arrival = [](uint32_t lane) { return lane >= 24; }}},
    {.rule = rule("MBAR-R02"),
     .words = "arrivals of lanes from 16 on did not count where lanes arrive at several barriers",
     .program = {.loses_arrival = [](uint32_t lane) { return lane >= 16; }}},
    {.rule = rule("MBAR-R14"), .words = "nothing were written", .program = {.written = nothing}},
    {.rule = rule("MBAR-R14"), .words = "red.async ordered signed words as unsigned ones",
     .program = {.written = unsigned_one}},
    {.rule = rule("MBAR-R11"), .words = "a time limit that passed counted as completion",
     .program = {.answer = [](const SequenceStep& s, bool right) {
       const auto op = static_cast<BarrierOp>(s.op);
       return right || (op == BarrierOp::try_parity && s.amount >> 1 != 0)
         || (op == BarrierOp::try_state && s.amount != 0); }}},
    {.rule = rule("MBAR-R11"), .words = "every phase were complete",
     .program = {.answer = [](const SequenceStep&, bool) { return true; }}},
    {.rule = rule("MBAR-R11"), .words = "no phase were complete",
     .program = {.answer = [](const SequenceStep&, bool) { return false; }}},
    {.rule = rule("MBAR-R11"), .words = "the parity were read the wrong way round",
     .program = {.answer = [](const SequenceStep& s, bool right) {
       const auto op = static_cast<BarrierOp>(s.op);
       return right != (op == BarrierOp::test_parity || op == BarrierOp::try_parity); }}},

    {.rule = rule("TMEM-R15"), .words = "tcgen05.alloc returned columns of another allocation",
     .program = {.loses = allocates_beside}},
    {.rule = rule("TMEM-R15"), .words = "tcgen05.alloc without a state space told nothing",
     .program = {.loses = allocates_at_generic_address}},
    {.rule = rule("TMEM-R16"), .words = "tcgen05.dealloc gave back other columns",
     .program = {.loses = allocates}},
    {.rule = rule("SYNC-R01"), .words = "tcgen05.commit did not wait for the products",
     .program = {.loses = uses_products}},
    {.rule = rule("SYNC-R02"), .words = "tcgen05.wait::ld did not wait", .program = {.late_loads = 8}},
    {.rule = rule("SYNC-R02"), .words = "tcgen05.wait::ld did not wait for the last load",
     .program = {.late_loads = 1}},
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
