// SPDX-License-Identifier: Apache-2.0
#include "reference/model/barrier/machine.h"

#include <bit>

namespace assay::model {
namespace {

/// The low word of a token of an arrival that may complete the phase: the count or the bytes where a register
/// gives them (569,080 programs on an H200, driver 580.159.04), 0 where an immediate does (h200, MB-04).
constexpr uint64_t operand_word = 0xffffffff;

/// In the range that PTX names for the count of transactions; what is expected may reach one more on Hopper
/// (h200, MB-06).
bool is_counted(int64_t bytes) {
  return bytes >= -Mbarrier::most_bytes && bytes <= Mbarrier::most_bytes;
}

}  // namespace

BarrierMachine::BarrierMachine(const SequenceCase& c, const ProgramBend* bend, bool faults)
    : bend_(bend), is_found_(c.is_found), faults_(faults) {
  if (c.is_found) barriers_[0] = Barrier{Mbarrier::found(c.found_word), std::nullopt, true};
}

std::optional<BarrierAnswer> BarrierMachine::step(const SequenceStep& s) {
  if (is_found_ && (s.lanes != 1 || s.column != 0 || s.target != 0)) return std::nullopt;
  if (s.lanes != 1) return step_of_several(s);
  return s.apart == 0 ? step_of_one(s) : std::nullopt;
}

std::optional<BarrierAnswer> BarrierMachine::step_of_several(const SequenceStep& s) {
  const auto op = static_cast<BarrierOp>(s.op);
  if (s.target >= barriers_.size() || s.apart >= barriers_.size() || s.lanes == 0 || !may_be_of_several(op))
    return std::nullopt;
  const auto before = barriers_;
  // One lane after the other, in any order: all do the same. That a phase ends between two of them is not
  // asked for.
  for (uint32_t left = s.lanes; left != 0; left &= left - 1) {
    SequenceStep one = s;
    const auto lane = static_cast<uint32_t>(std::countr_zero(left));
    if (bend_ != nullptr && bend_->loses_arrival != nullptr && s.apart != 0 && op != BarrierOp::expect_tx &&
        op != BarrierOp::complete_tx && bend_->loses_arrival(lane))
      continue;
    one.target = target_of(s, lane);
    const std::optional<Barrier>&now = barriers_[one.target], &then = before[one.target];
    if (!now || now->object.phase() != then->object.phase() || !step_of_one(one)) {
      barriers_ = before;
      return std::nullopt;
    }
  }
  for (size_t b = 0; b < barriers_.size(); ++b)
    if (before[b]) barriers_[b]->kept = before[b]->kept;
  return BarrierAnswer{};
}

std::optional<BarrierAnswer> BarrierMachine::step_of_one(const SequenceStep& s) {
  if (s.target >= barriers_.size() || s.op >= barrier_ops || s.column > 7 || s.spelling >= most_spellings)
    return std::nullopt;
  const auto op = static_cast<BarrierOp>(s.op);
  if (s.column != 0 && !may_be_remote(op)) return std::nullopt;
  if (s.is_generic && !may_be_generic(op)) return std::nullopt;
  if (s.idle_copies >= idle_copies_ways || (s.idle_copies != 0 && !is_of_copies(op))) return std::nullopt;
  std::optional<Barrier>& b = barriers_[s.target];
  if (b && b->is_found && op == BarrierOp::init) b.reset();
  if ((op == BarrierOp::init) == b.has_value()) return std::nullopt;
  if (b && b->is_found) return step_of_found(*b, s);
  switch (op) {
    case BarrierOp::init:
      if (s.amount == 0 || s.amount > Mbarrier::most_arrivals) return std::nullopt;
      b = Barrier{*Mbarrier::initialised(s.amount), std::nullopt};
      bend(s, gone_[s.target], b->object);
      return BarrierAnswer{};
    case BarrierOp::invalidate:
    case BarrierOp::read_word: {
      if (s.amount != 0) return std::nullopt;
      const uint64_t word = b->object.word();
      gone_[s.target] = b->object.state();
      b.reset();
      return op == BarrierOp::invalidate ? BarrierAnswer{} : BarrierAnswer{word, true};
    }
    case BarrierOp::expect_tx:
    case BarrierOp::complete_tx:
      return change(*b, s);
    case BarrierOp::arrive:
    case BarrierOp::arrive_drop:
    case BarrierOp::arrive_expect_tx:
    case BarrierOp::arrive_drop_expect_tx:
    case BarrierOp::arrive_no_complete:
    case BarrierOp::arrive_drop_no_complete:
      return arrival(*b, s);
    case BarrierOp::copies_arrive:
    case BarrierOp::copies_arrive_noinc:
      return arrival_of_copies(*b, s);
    case BarrierOp::bytes_arrive:
      return arrival_of_bytes(*b, s);
    case BarrierOp::pass_phases:
      return pass_phases(*b, s);
    case BarrierOp::test_parity:
    case BarrierOp::test_state:
    case BarrierOp::try_parity:
    case BarrierOp::try_state:
    case BarrierOp::pending_count:
      return look(*b, s);
  }
  return std::nullopt;
}

void BarrierMachine::bend(const SequenceStep& s, const BarrierState& before, Mbarrier& after) const {
  if (bend_ == nullptr || bend_->barrier == nullptr) return;
  BarrierState state = after.state();
  bend_->barrier(
      {static_cast<BarrierOp>(s.op), s.amount, s.column != 0, s.is_generic, before, s.idle_copies == 0},
      state);
  after = Mbarrier::of(state);
}

std::optional<BarrierAnswer> BarrierMachine::step_of_found(Barrier& b, const SequenceStep& s) {
  const auto op = static_cast<BarrierOp>(s.op);
  const bool fails = faults_ || b.object.is_damaged();
  const auto done = [&](bool is_good, const BarrierAnswer& answer) {
    return is_good && !fails ? answer : BarrierAnswer{.fails = true};
  };
  switch (op) {
    case BarrierOp::invalidate:
    case BarrierOp::read_word: {
      if (s.amount != 0) return std::nullopt;
      if (faults_) return BarrierAnswer{.fails = true};
      const uint64_t word = b.object.word();
      barriers_[s.target].reset();
      return op == BarrierOp::read_word ? BarrierAnswer{word, true} : BarrierAnswer{};
    }
    case BarrierOp::expect_tx:
      return done(b.object.expect(s.amount), {});
    case BarrierOp::complete_tx:
      return done(b.object.complete(s.amount), {});
    case BarrierOp::test_parity:
    case BarrierOp::try_parity: {
      const auto answer = look(b, s);
      return answer ? std::optional(done(true, *answer)) : std::nullopt;
    }
    case BarrierOp::arrive:
    case BarrierOp::arrive_drop:
    case BarrierOp::arrive_expect_tx:
    case BarrierOp::arrive_drop_expect_tx:
    case BarrierOp::arrive_no_complete:
    case BarrierOp::arrive_drop_no_complete: {
      const BarrierEvent how{.op = op, .amount = s.amount};
      if (s.amount == 0 && !how.expects()) return std::nullopt;
      // Of a word that expects fewer than leave nothing was measured.
      if (how.drops() && (how.expects() ? 1 : s.amount) > b.object.count()) return std::nullopt;
      const uint64_t token = b.object.token(how.is_no_complete());
      return done(how.expects() ? b.object.arrive_expecting(s.amount, how.drops())
                                : b.object.arrive(s.amount, how.drops()),
                  {token, true, how.is_no_complete() ? 0 : operand_word});
    }
    default:
      return std::nullopt;
  }
}

std::optional<BarrierAnswer> BarrierMachine::change(Barrier& b, const SequenceStep& s) const {
  const bool expects = static_cast<BarrierOp>(s.op) == BarrierOp::expect_tx;
  if (s.amount > Mbarrier::most_bytes) return std::nullopt;
  const int64_t amount = s.amount;
  if (!is_counted(b.object.bytes() + (expects ? amount : -amount))) return std::nullopt;
  // A phase that waits for nobody and nothing is not over (h200, MB-09); whether no bytes end it was never
  // measured.
  if (b.object.missing() == 0 && b.object.bytes() == 0 && amount == 0) return std::nullopt;
  const BarrierState before = b.object.state();
  if (!(expects ? b.object.expect(s.amount) : b.object.complete(s.amount))) return std::nullopt;
  bend(s, before, b.object);
  return BarrierAnswer{};
}

std::optional<BarrierAnswer> BarrierMachine::arrival(Barrier& b, const SequenceStep& s) const {
  const auto op = static_cast<BarrierOp>(s.op);
  const bool drops = op == BarrierOp::arrive_drop || op == BarrierOp::arrive_drop_expect_tx ||
                     op == BarrierOp::arrive_drop_no_complete;
  const bool expects = op == BarrierOp::arrive_expect_tx || op == BarrierOp::arrive_drop_expect_tx;
  const bool no_complete = op == BarrierOp::arrive_no_complete || op == BarrierOp::arrive_drop_no_complete;
  Mbarrier next = b.object;
  if (expects) {
    if (s.amount > Mbarrier::most_bytes || !is_counted(next.bytes() + int64_t{s.amount}) ||
        !next.arrive_expecting(s.amount, drops))
      return std::nullopt;
  } else if (s.amount == 0 || !next.arrive(s.amount, drops)) {
    return std::nullopt;
  }
  // What says that it does not complete the phase must not (ptx, mbarrier.arrive: .noComplete).
  if (no_complete && next.phase() != b.object.phase()) return std::nullopt;
  bend(s, b.object.state(), next);
  const bool is_after = bend_ != nullptr && bend_->state_is_after && next.phase() == b.object.phase();
  const Mbarrier& told = is_after ? next : b.object;
  const Token token{told.phase(), told.missing(), no_complete};
  const BarrierAnswer answer =
      s.column != 0 ? BarrierAnswer{}
                    : BarrierAnswer{told.token(no_complete), true, no_complete ? 0 : operand_word};
  b.object = next;
  if (s.column == 0) b.kept = token;
  return answer;
}

/// The arrival comes at any time after it was asked for (ptx, cp.async.mbarrier.arrive), so that a program
/// may look at the barrier only where the order of all arrivals makes no difference: when the phase is over.
/// It waits for the copies that its thread has asked for, and so for nothing where these are complete or
/// none.
std::optional<BarrierAnswer> BarrierMachine::arrival_of_copies(Barrier& b, const SequenceStep& s) const {
  const BarrierState before = b.object.state();
  const uint32_t added = static_cast<BarrierOp>(s.op) == BarrierOp::copies_arrive ? 1 : 0;
  if (s.amount == 0 || s.amount != before.missing || before.bytes != 0 ||
      before.missing + added > Mbarrier::most_arrivals || !b.object.arrive(s.amount, false))
    return std::nullopt;
  bend(s, before, b.object);
  const bool is_over = b.object.phase() != before.phase;
  return BarrierAnswer{bend_ != nullptr && bend_->answer != nullptr ? bend_->answer(s, is_over) : is_over,
                       false};
}

/// The bytes come at any time after they were asked for, so that a program may look at the barrier only when
/// they have ended the phase. The address of a bulk copy has a state space (ptx, cp.async.bulk).
std::optional<BarrierAnswer> BarrierMachine::arrival_of_bytes(Barrier& b, const SequenceStep& s) const {
  const BarrierState before = b.object.state();
  const std::optional<AsyncWrite> write = async_write(s.amount);
  if (!write || (s.is_generic && write->op == AsyncOp::bulk_copy) || before.missing != 0 ||
      before.bytes != write->bytes || !b.object.complete(write->bytes))
    return std::nullopt;
  bend(s, before, b.object);
  bool is_over = b.object.phase() != before.phase;
  if (bend_ != nullptr && bend_->answer != nullptr) is_over = bend_->answer(s, is_over);
  const bool is_bent = bend_ != nullptr && bend_->written != nullptr;
  const uint32_t digest = digest_after(is_bent ? bend_->written(*write) : *write);
  return BarrierAnswer{is_over ? uint64_t{1} << 32 | digest : 0, false};
}

/// Nobody looks at the states of the arrivals.
std::optional<BarrierAnswer> BarrierMachine::pass_phases(Barrier& b, const SequenceStep& s) const {
  const uint32_t phases = phases_of(s.amount);
  const BarrierState first = b.object.state();
  const SequenceStep each{.op = static_cast<uint32_t>(BarrierOp::arrive),
                          .amount = phase_arrivals(s.amount),
                          .is_generic = s.is_generic};
  if (phases == 0 || each.amount == 0 || first.bytes != 0 || first.missing != each.amount ||
      first.count != each.amount)
    return std::nullopt;
  for (uint32_t i = 0; i < phases; ++i) {
    const BarrierState before = b.object.state();
    if (!b.object.arrive(each.amount, false)) return std::nullopt;
    bend(each, before, b.object);
  }
  const bool is_over = b.object.is_over(first.phase + phases - 1);
  return BarrierAnswer{bend_ != nullptr && bend_->answer != nullptr ? bend_->answer(s, is_over) : is_over,
                       false};
}

std::optional<BarrierAnswer> BarrierMachine::look(const Barrier& b, const SequenceStep& s) const {
  const auto op = static_cast<BarrierOp>(s.op);
  const auto answered = [&](bool right) {
    return BarrierAnswer{bend_ != nullptr && bend_->answer != nullptr ? bend_->answer(s, right) : right,
                         false};
  };
  if (op == BarrierOp::test_parity || op == BarrierOp::try_parity) {
    // Parity in bit 0; the time limit above it, which only a try has.
    if (s.amount >> 1 > (op == BarrierOp::try_parity ? longest_try : 0)) return std::nullopt;
    return answered(b.object.is_over(s.amount & 1));
  }
  if (!b.kept) return std::nullopt;
  if (op == BarrierOp::pending_count) {
    // Of a token of .noComplete alone (ptx, mbarrier.pending_count).
    if (s.amount != 0 || !b.kept->no_complete) return std::nullopt;
    // None pending, which only an altered rule can bring about, is told as 2^20 (h200, MB-04).
    return BarrierAnswer{b.kept->missing == 0 ? Mbarrier::most_arrivals + 1 : b.kept->missing, false};
  }
  // The phase of the token, or the one after it (ptx, mbarrier.test_wait).
  if (s.amount > (op == BarrierOp::try_state ? longest_try : 0) || b.object.phase() > b.kept->phase + 1)
    return std::nullopt;
  return answered(b.object.phase() != b.kept->phase);
}

const Mbarrier* BarrierMachine::find(uint32_t barrier) const {
  const std::optional<Barrier>& b = barriers_[barrier];
  return b ? &b->object : nullptr;
}

uint32_t BarrierMachine::parities(uint32_t barrier) const {
  const Mbarrier* const object = find(barrier);
  if (object == nullptr) return ~0u;
  return object->is_over(0) ? 1 : 2;
}

}  // namespace assay::model
