// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/async/mbarrier.h"

#include <array>
#include <bit>
#include <cstring>
#include <map>

#include "devices/emulator/machine/launch.h"
#include "devices/emulator/machine/step.h"
#include "devices/emulator/machine/strict.h"
#include "devices/emulator/tma/steps.h"

// mbarrier.* (ptx, Parallel Synchronization and Communication Instructions: mbarrier).
namespace assay::emulator {
namespace {

constexpr std::string_view order_words =
    "release acquire relaxed cta cluster b64 shared shared::cta shared::cluster";

/// A wait without a limit of its own gives up after this long (ptx, mbarrier.try_wait: a system-dependent
/// time).
constexpr uint64_t default_wait_nanoseconds = 1'000'000;

/// The barrier that a lane names.
struct Named {
  Place place;
  MbarrierObject& object;
  uint32_t address;
};

/// The barrier at the same offset that a faulty device takes for it.
Place mistaken_for(const Step& step, int lane, const Place& named, bool expects) {
  const uint32_t of = named.shared_address >> shared_rank_shift,
                 offset = named.shared_address & shared_offset_mask;
  const uint32_t rank = steps_for(step.cluster.settings()).barrier_rank(of, step.cta.rank, expects);
  if (rank == of) return named;
  const auto& barriers = step.cluster.ctas[rank]->mbarriers;
  const auto found = barriers.find(offset);
  if (found == barriers.end() || !found->second.is_live) return named;
  return resolve(step, lane, Space::shared_cluster, rank << shared_rank_shift | offset, 8, 8, true);
}

Named find_mbarrier(const Step& step, int lane, Space space, const Operand& operand,
                    bool may_be_fresh = false, bool expects = false) {
  Place place = resolve(step, lane, space, step.address(operand, lane), 8, 8, true);
  if (!place.is_shared())
    step.fail(Diagnostic::Kind::illegal_address, lane, "an mbarrier object lies in shared memory only");
  place = mistaken_for(step, lane, place, expects);
  Cta& cta = *step.cluster.cta_at(place.shared_address);
  if (!may_be_fresh && step.cluster.barrier_at(place.shared_address, step.issuer(lane)) == nullptr)
    step.fail(Diagnostic::Kind::launch_failed, lane, "the mbarrier is not initialised");
  const Named named{place, cta.mbarriers[place.shared_address & shared_offset_mask], place.shared_address};
  if (step.cluster.strict && !may_be_fresh) {
    step.cluster.strict->barrier_used(place.shared_address, step.issuer(lane));
    step.cluster.strict->remote_access(cta, step.issuer(lane));
  }
  return named;
}

/// Its state goes to memory (H200: MB-02).
void invalidate(const Step& step, const Named& named) {
  if (step.cluster.strict) step.cluster.strict->barrier_invalidated(named.address);
  named.object.is_live = false;
  named.object.was_ended = true;
  const uint64_t word = named.object.state.encode();
  std::memcpy(named.place.bytes, &word, 8);
  std::memset(named.place.written, 1, 8);
}

/// `counted`: the barrier whose count says why it is wrong.
void require(const Step& step, int lane, std::string_view wrong, const Named* counted = nullptr) {
  if (wrong.empty()) return;
  std::string text(wrong);
  if (counted != nullptr && counted->object.init_line != 0)
    text += "; the count of " + step.cluster.launch.name_of_shared(counted->address, sizeof(uint64_t)) +
            " is " + std::to_string(counted->object.state.expected) + ", by mbarrier.init at PTX line " +
            std::to_string(counted->object.init_line);
  step.fail(Diagnostic::Kind::launch_failed, lane, text);
}

struct MbarrierForm {
  Space space;
  enum class Kind : uint8_t { init, inval, expect, complete, arrive } kind;
  bool drop = false, expect_first = false, no_complete = false, is_v1 = false;
  int8_t state = -1, address = 0, amount = -1;  ///< operand numbers, -1: absent
};

void note(const Step& step, BarrierEvent::Kind kind, const Named& named, uint32_t amount) {
  step.cluster.launch.note_barrier(kind, *step.cluster.cta_at(named.address),
                                   named.address & shared_offset_mask, step.warp.index, amount);
}

void note_change(const Step& step, const MbarrierForm& form, const Named& named, uint64_t given) {
  using Event = BarrierEvent::Kind;
  if (form.kind == MbarrierForm::Kind::init) note(step, Event::init, named, static_cast<uint32_t>(given));
  if (form.kind == MbarrierForm::Kind::expect || form.expect_first) {
    MbarrierObject::Bytes& bytes = named.object.bytes_of_phase();
    bytes.line = step.instruction.line;
    bytes.expected += static_cast<uint32_t>(given);
    note(step, Event::expect, named, static_cast<uint32_t>(given));
  }
  if (form.kind == MbarrierForm::Kind::arrive)
    note(step, Event::arrive, named, form.expect_first ? 1 : static_cast<uint32_t>(given));
}

/// What the operation of a lane, or of all at the same barrier, releases; strict.
void note_order(const Step& step, const MbarrierForm& form, const Named& named, int lane, bool are_apart) {
  race::Order& order = step.cluster.strict->races.order;
  if (form.kind == MbarrierForm::Kind::arrive && (are_apart || lane == std::countr_zero(step.mask)))
    order.mbarrier_arrives(named.address, step.lanes_of(are_apart ? 1u << lane : step.mask),
                           step.instruction.order);
  if (form.kind == MbarrierForm::Kind::expect || form.kind == MbarrierForm::Kind::complete)
    order.touch(race::Touches::Object::mbarrier, named.address, race::Touch::Kind::arrive);
}

uint32_t execute_mbarrier(Step& step) {
  const MbarrierForm& form = step.data<MbarrierForm>();
  const auto amount = [&](int lane) -> uint64_t {
    return form.amount < 0
               ? 1
               : static_cast<uint32_t>(step.value(step.operand(static_cast<size_t>(form.amount)), lane));
  };
  const Operand& place = step.operand(static_cast<size_t>(form.address));
  const uint64_t first = step.address(place, std::countr_zero(step.mask));
  bool are_apart = false;
  for_lanes(step.mask, [&](int lane) { are_apart |= step.address(place, lane) != first; });
  for_lanes(step.mask, [&](int lane) {
    const bool is_init = form.kind == MbarrierForm::Kind::init;
    const Named named = find_mbarrier(step, lane, form.space, place, is_init,
                                      form.kind == MbarrierForm::Kind::expect || form.expect_first);
    ++step.cluster.progress;
    if (form.kind == MbarrierForm::Kind::inval) return invalidate(step, named);
    if (!is_init) require(step, lane, named.object.state.wrong_to_use());
    Mbarrier& barrier = named.object.state;
    const uint64_t given = amount(lane);
    BarrierChange change{};
    change.drops = form.drop, change.expects = form.expect_first, change.no_complete = form.no_complete;
    change.before = barrier, change.is_generic = form.space == Space::generic;
    change.is_remote = step.cluster.cta_at(named.address) != &step.cta;
    change.lane = lane, change.is_apart = are_apart;
    uint64_t token = barrier.token(form.no_complete);
    const bool phase = barrier.phase;
    note_change(step, form, named, given);
    if (step.cluster.strict) note_order(step, form, named, lane, are_apart);
    switch (form.kind) {
      case MbarrierForm::Kind::init:
        change.kind = BarrierChange::Kind::init, change.arrivals = given;
        require(step, lane, barrier.initialise(static_cast<uint32_t>(given), form.is_v1));
        named.object.is_live = true, named.object.was_ended = false;
        named.object.init_line = step.instruction.line;
        if (step.cluster.strict) step.cluster.strict->barrier_initialised(named.address, step.issuer(lane));
        break;
      case MbarrierForm::Kind::expect:
        change.kind = BarrierChange::Kind::expect, change.bytes = given;
        require(step, lane, barrier.expect(given));
        break;
      case MbarrierForm::Kind::complete:
        change.kind = BarrierChange::Kind::complete, change.bytes = given;
        require(step, lane, barrier.complete(given));
        break;
      case MbarrierForm::Kind::arrive:
        change.kind = BarrierChange::Kind::arrive;
        change.arrivals = form.expect_first ? 1 : given, change.bytes = form.expect_first ? given : 0;
        require(
            step, lane,
            form.expect_first ? barrier.arrive_expecting(given, form.drop) : barrier.arrive(given, form.drop),
            &named);
        break;
      case MbarrierForm::Kind::inval:
        break;
    }
    if (!is_init && barrier.phase != phase) {
      note(step, BarrierEvent::Kind::complete, named, phase);
      if (step.cluster.strict) step.cluster.strict->races.order.mbarrier_completes(named.address);
    }
    steps_for(step.cluster.settings()).barrier(change, barrier, token);
    if (form.state >= 0) step.set(step.operand(static_cast<size_t>(form.state)), lane, token);
  });
  return step.mask;
}

std::optional<LoweringError> lower_mbarrier(const Opcode& opcode, Target, Instruction& instruction) {
  MbarrierForm form{};
  form.space = space_of(opcode);
  if (form.space != Space::shared_cta && form.space != Space::shared_cluster && form.space != Space::generic)
    return unknown_opcode(opcode);
  const std::string verb = opcode.qualifiers.empty() ? "" : opcode.qualifiers[0];
  const std::string words(order_words);
  std::string known = "b64 shared shared::cta " + verb;
  bool has_state = false, needs_amount = true, may_have_amount = true;
  if (verb == "init") {
    form.kind = MbarrierForm::Kind::init;
    form.is_v1 = opcode.has("layout::v1");
    known += " layout::v0 layout::v1";
    if (form.is_v1 && opcode.has("layout::v0")) return unknown_opcode(opcode);
  } else if (verb == "inval") {
    form.kind = MbarrierForm::Kind::inval;
    needs_amount = may_have_amount = false;
  } else if (verb == "expect_tx" || verb == "complete_tx") {
    form.kind = verb == "expect_tx" ? MbarrierForm::Kind::expect : MbarrierForm::Kind::complete;
    known = "relaxed cta cluster shared shared::cta shared::cluster b64 " + verb;
  } else if (verb == "arrive" || verb == "arrive_drop") {
    form.kind = MbarrierForm::Kind::arrive;
    form.drop = verb == "arrive_drop";
    form.expect_first = opcode.has("expect_tx");
    form.no_complete = opcode.has("noComplete");
    known = words + " expect_tx noComplete " + verb;
    // A remote barrier gives no state (ptx, mbarrier.arrive).
    has_state = true;
    needs_amount = form.expect_first || form.no_complete;
    if (form.no_complete && (form.expect_first || form.space == Space::shared_cluster))
      return unknown_opcode(opcode);
  } else {
    return unknown_opcode(opcode);
  }
  if (!only_known_qualifiers(opcode, known) ||
      (!opcode.has("b64") && form.kind != MbarrierForm::Kind::expect &&
       form.kind != MbarrierForm::Kind::complete))
    return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  size_t at = 0;
  if (has_state) {
    // There is no form without it (ptx, mbarrier.arrive; ptxas).
    if (operands.empty() || (operands[0].kind != Operand::Kind::sink &&
                             (operands[0].kind != Operand::Kind::value || !operands[0].is_register ||
                              operands[0].bits != 64 || form.space == Space::shared_cluster)))
      return wrong_operands(opcode, form.space == Space::shared_cluster
                                        ? "_ for the state, an address and a count if any"
                                        : "a 64-bit state (or _), an address and a count if any");
    if (operands[0].kind != Operand::Kind::sink) form.state = 0;
    ++at;
  }
  const LoweringError wrong = wrong_operands(opcode, "an address in brackets and a count or byte count");
  if (at >= operands.size() || operands[at].kind != Operand::Kind::address || !operands[at].items.empty())
    return wrong;
  form.address = static_cast<int8_t>(at++);
  if (at < operands.size()) {
    if (!may_have_amount || operands[at].kind != Operand::Kind::value) return wrong;
    form.amount = static_cast<int8_t>(at++);
  } else if (needs_amount) {
    return wrong;
  }
  if (at != operands.size()) return wrong;
  instruction.data = std::make_shared<const MbarrierForm>(form);
  instruction.execute = execute_mbarrier;
  return std::nullopt;
}

struct MbarrierWaitForm {
  Space space;
  bool is_parity = false, may_suspend = false, has_limit = false;
  size_t reports = 0;  ///< operands behind the predicate: the report's, and its value
  size_t address() const { return 1 + reports; }
};

uint32_t execute_mbarrier_wait(Step& step) {
  const MbarrierWaitForm& form = step.data<MbarrierWaitForm>();
  uint32_t done = 0;
  // A suspended thread goes on after a time that the system chooses (ptx, mbarrier.try_wait): under the
  // random schedule now and then at once, all lanes alike, and once for a wait.
  const bool ends_early = form.may_suspend && step.cluster.ends_wait_early();
  std::map<uint32_t, std::array<uint32_t, 2>> tested;  ///< lanes that did and did not succeed, by barrier
  for_lanes(step.mask, [&](int lane) {
    const Named named = find_mbarrier(step, lane, form.space, step.operand(form.address()));
    require(step, lane, named.object.state.wrong_to_use());
    const uint64_t wanted = step.value(step.operand(form.address() + 1), lane);
    const bool phase_waited_for = form.is_parity ? (wanted & 1) != 0 : wanted >> 63 != 0;
    const bool is_complete = named.object.state.phase != phase_waited_for;
    LaneState& state = step.warp.lane_state[static_cast<size_t>(lane)];
    if (!is_complete && form.may_suspend) {
      if (!state.is_timed) note(step, BarrierEvent::Kind::blocked, named, phase_waited_for);
      if (!state.is_timed)
        state = {
            false,        0, step.cluster.clock, true, named.address & shared_offset_mask, phase_waited_for,
            state.gave_up};
      const uint64_t limit = form.has_limit
                                 ? static_cast<uint32_t>(step.value(step.operand(form.address() + 2), lane))
                                 : default_wait_nanoseconds;
      const bool gives_up = ends_early && !state.gave_up;
      if (!gives_up && step.cluster.clock - state.since < limit) return;
      state.gave_up |= gives_up;
    }
    state = {.gave_up = !is_complete && state.gave_up};
    done |= 1u << lane;
    if (step.cluster.strict) tested[named.address][is_complete ? 0 : 1] |= 1u << lane;
    if (is_complete && step.cluster.strict) {
      step.cluster.strict->barrier_waited(named.address);
      note(step, BarrierEvent::Kind::wait, named, phase_waited_for);
    }
    step.set(step.operand(0), lane,
             steps_for(step.cluster.settings()).barrier_waited(is_complete, form.has_limit));
    // (PTX ISA 9.4, mbarrier.test_wait) Undefined where the phase is not complete; of what is here, zero.
    for (size_t i = 1; i <= form.reports; ++i) step.set(step.operand(i), lane, 0, !is_complete);
  });
  for (const auto& [address, lanes] : tested)
    for (const bool fails : {false, true})
      if (lanes[fails] != 0)
        step.cluster.strict->races.order.mbarrier_tested(address, step.lanes_of(lanes[fails]),
                                                         step.instruction.order, !fails);
  return done;
}

std::optional<LoweringError> lower_mbarrier_wait(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(
          opcode,
          "test_wait try_wait parity acquire relaxed cta cluster shared shared::cta b64 phase_type::primary "
          "phase_type::conditional") ||
      !opcode.has("b64"))
    return unknown_opcode(opcode);
  MbarrierWaitForm form;
  const bool is_primary = opcode.has("phase_type::primary"),
             is_conditional = opcode.has("phase_type::conditional");
  // (ptx, mbarrier.test_wait) An order and its scope go together.
  const bool has_order = opcode.has("acquire") || opcode.has("relaxed"),
             has_scope = opcode.has("cta") || opcode.has("cluster");
  if (has_order != has_scope || (is_conditional && (is_primary || !opcode.has("parity"))))
    return unknown_opcode(opcode);
  form.space = space_of(opcode);
  form.is_parity = opcode.has("parity");
  form.may_suspend = opcode.has("try_wait");
  const auto& operands = instruction.operands;
  const auto is_value = [&](size_t i) {
    return i < operands.size() && operands[i].kind == Operand::Kind::value;
  };
  const auto is_result = [&](size_t i, int bits) {
    return is_value(i) && operands[i].is_register && operands[i].bits == bits;
  };
  // (ptxas 13.5) The value of a report may stand without its predicate.
  if (is_primary && is_result(1, 1)) ++form.reports;
  if (is_primary && is_result(form.address(), 8)) ++form.reports;
  const size_t at = form.address();
  form.has_limit = form.may_suspend && operands.size() == at + 3;
  if (operands.size() != (form.has_limit ? at + 3 : at + 2) || !is_result(0, 1) ||
      operands[at].kind != Operand::Kind::address || !operands[at].items.empty() || !is_value(at + 1) ||
      (form.has_limit && !is_value(at + 2)))
    return wrong_operands(opcode,
                          std::string("a predicate, ") +
                              (is_primary ? "that of a report and its value of 8 bits if any, " : "") +
                              "an address, a state or parity and, for try_wait, a time limit if any");
  instruction.data = std::make_shared<const MbarrierWaitForm>(form);
  instruction.execute = execute_mbarrier_wait;
  return std::nullopt;
}

std::optional<LoweringError> lower_pending_count(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "pending_count b64")) return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (operands.size() != 2 || operands[0].kind != Operand::Kind::value || !operands[0].is_register ||
      operands[1].kind != Operand::Kind::value)
    return wrong_operands(opcode, "a 32-bit destination and a state");
  instruction.execute = [](Step& step) -> uint32_t {
    for_lanes(step.mask, [&](int lane) {
      step.set(step.operand(0), lane, Mbarrier::pending_in(step.value(step.operand(1), lane)));
    });
    return step.mask;
  };
  return std::nullopt;
}

/// (PTX ISA 9.4, mbarrier.check_layout)
std::optional<LoweringError> lower_check_layout(const Opcode& opcode, Target, Instruction& instruction) {
  struct Form {
    Space space;
    bool is_v1;
  };
  const Form form{space_of(opcode), opcode.has("layout::v1")};
  if (!only_known_qualifiers(opcode, "check_layout layout::v0 layout::v1 shared shared::cta b64") ||
      form.is_v1 == opcode.has("layout::v0") || !opcode.has("b64"))
    return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (operands.size() != 2 || operands[0].kind != Operand::Kind::value || !operands[0].is_register ||
      operands[0].bits != 1 || operands[1].kind != Operand::Kind::address || !operands[1].items.empty())
    return wrong_operands(opcode, "a predicate and an address");
  instruction.data = std::make_shared<const Form>(form);
  instruction.execute = [](Step& step) -> uint32_t {
    const Form& asked = step.data<Form>();
    for_lanes(step.mask, [&](int lane) {
      const Named named = find_mbarrier(step, lane, asked.space, step.operand(1));
      step.set(step.operand(0), lane, named.object.state.is_v1 == asked.is_v1);
    });
    return step.mask;
  };
  return std::nullopt;
}

const RegisteredFamily check_layout("mbarrier.check_layout", lower_check_layout);
const RegisteredFamily mbarrier("mbarrier", lower_mbarrier);
const RegisteredFamily test_wait("mbarrier.test_wait", lower_mbarrier_wait);
const RegisteredFamily try_wait("mbarrier.try_wait", lower_mbarrier_wait);
const RegisteredFamily pending_count("mbarrier.pending_count", lower_pending_count);

}  // namespace
}  // namespace assay::emulator
