#include "devices/emulator/machine/mbarrier.h"

#include <cstring>

#include "devices/emulator/machine/access.h"
#include "devices/emulator/machine/launch.h"
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
  Mbarrier barrier;
  uint64_t word = 0;
  uint32_t address = 0;
};

Named find(const Step& step, int lane, Space space, const Operand& operand, bool may_be_fresh = false) {
  Named named;
  named.place = resolve(step, lane, space, step.address(operand, lane), 8, 8, true);
  if (!named.place.is_shared())
    step.fail(Diagnostic::Kind::illegal_address, lane, "an mbarrier object lies in shared memory only");
  named.address = named.place.shared_address;
  Cta& cta = *step.cluster.cta_at(named.address);
  if (!may_be_fresh && !cta.mbarriers.contains(named.address & shared_offset_mask))
    step.fail(Diagnostic::Kind::launch_failed, lane, "the mbarrier is not initialised");
  std::memcpy(&named.word, named.place.bytes, 8);
  named.barrier = Mbarrier::decode(named.word);
  if (step.cluster.strict && !may_be_fresh) {
    step.cluster.strict->remote_access(cta, step.issuer(lane));
    if (cta.rank != step.cta.rank)
      step.cluster.strict->barrier_used_from_outside(named.address, step.issuer(lane), false);
  }
  return named;
}

void put(const Step& step, const Named& named) {
  const uint64_t word = named.barrier.encode();
  std::memcpy(named.place.bytes, &word, 8);
  std::memset(named.place.written, 1, 8);
  ++step.cluster.progress;
}

void require(const Step& step, int lane, std::string_view wrong) {
  if (!wrong.empty()) step.fail(Diagnostic::Kind::launch_failed, lane, std::string(wrong));
}

struct Form {
  Space space;
  enum class Kind : uint8_t { init, inval, expect, complete, arrive } kind;
  bool drop = false, expect_first = false;
  int8_t state = -1, address = 0, amount = -1;  ///< operand numbers, -1: absent
};

uint32_t execute(Step& step) {
  const Form& form = step.data<Form>();
  const auto amount = [&](int lane) -> uint64_t {
    return form.amount < 0
               ? 1
               : static_cast<uint32_t>(step.value(step.operand(static_cast<size_t>(form.amount)), lane));
  };
  for_lanes(step.mask, [&](int lane) {
    const bool is_init = form.kind == Form::Kind::init;
    Named named = find(step, lane, form.space, step.operand(static_cast<size_t>(form.address)), is_init);
    Cta& cta = *step.cluster.cta_at(named.address);
    const uint64_t before = named.word;
    switch (form.kind) {
      case Form::Kind::init: {
        const uint64_t count = amount(lane);
        if (count == 0 || count > Mbarrier::max_count)
          step.fail(Diagnostic::Kind::launch_failed, lane, "mbarrier.init takes a count of 1 to 2^20 - 1");
        named.barrier = {};
        named.barrier.expected = named.barrier.pending = static_cast<uint32_t>(count);
        cta.mbarriers[named.address & shared_offset_mask] = static_cast<uint32_t>(count);
        if (step.cluster.strict) step.cluster.strict->barrier_initialised(named.address, step.issuer(lane));
        break;
      }
      case Form::Kind::inval:
        cta.mbarriers.erase(named.address & shared_offset_mask);
        if (step.cluster.strict) step.cluster.strict->barrier_invalidated(named.address);
        std::memset(named.place.written, 0, 8);
        ++step.cluster.progress;
        return;
      case Form::Kind::expect:
        require(step, lane, named.barrier.expect(amount(lane)));
        break;
      case Form::Kind::complete:
        require(step, lane, named.barrier.complete(amount(lane)));
        break;
      case Form::Kind::arrive:
        if (form.expect_first) require(step, lane, named.barrier.expect(amount(lane)));
        require(step, lane, named.barrier.arrive(form.expect_first ? 1 : amount(lane), form.drop));
        break;
    }
    if (!is_init) steps_for(step.cluster.settings()).barrier(Mbarrier::decode(before), named.barrier);
    put(step, named);
    if (form.state >= 0) step.set(step.operand(static_cast<size_t>(form.state)), lane, before);
  });
  return step.mask;
}

std::optional<LoweringError> lower(const Opcode& opcode, Target, Instruction& instruction) {
  Form form{};
  form.space = space_of(opcode);
  if (form.space != Space::shared_cta && form.space != Space::shared_cluster && form.space != Space::generic)
    return unknown_opcode(opcode);
  const std::string verb = opcode.qualifiers.empty() ? "" : opcode.qualifiers[0];
  const std::string words(order_words);
  std::string known = "b64 shared shared::cta " + verb;
  bool has_state = false, needs_amount = true, may_have_amount = true;
  if (verb == "init") {
    form.kind = Form::Kind::init;
  } else if (verb == "inval") {
    form.kind = Form::Kind::inval;
    needs_amount = may_have_amount = false;
  } else if (verb == "expect_tx" || verb == "complete_tx") {
    form.kind = verb == "expect_tx" ? Form::Kind::expect : Form::Kind::complete;
    known = "relaxed cta cluster shared shared::cta shared::cluster b64 " + verb;
  } else if (verb == "arrive" || verb == "arrive_drop") {
    form.kind = Form::Kind::arrive;
    form.drop = verb == "arrive_drop";
    form.expect_first = opcode.has("expect_tx");
    known = words + " expect_tx noComplete " + verb;
    // A remote barrier gives no state (ptx, mbarrier.arrive).
    has_state = true;
    needs_amount = form.expect_first || opcode.has("noComplete");
    if (opcode.has("noComplete") && form.expect_first) return unknown_opcode(opcode);
  } else {
    return unknown_opcode(opcode);
  }
  if (!only_known_qualifiers(opcode, known) ||
      (!opcode.has("b64") && form.kind != Form::Kind::expect && form.kind != Form::Kind::complete))
    return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  size_t at = 0;
  if (has_state && !operands.empty() && operands[0].kind != Operand::Kind::address) {
    if (operands[0].kind != Operand::Kind::sink) {
      if (operands[0].kind != Operand::Kind::value || !operands[0].is_register || operands[0].bits != 64 ||
          form.space == Space::shared_cluster)
        return wrong_operands(opcode, "a 64-bit state (or _), an address and a count if any");
      form.state = 0;
    }
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
  instruction.data = std::make_shared<const Form>(form);
  instruction.execute = execute;
  return std::nullopt;
}

struct WaitForm {
  Space space;
  bool is_parity = false, may_suspend = false, has_limit = false;
};

uint32_t execute_wait(Step& step) {
  const WaitForm& form = step.data<WaitForm>();
  uint32_t done = 0;
  for_lanes(step.mask, [&](int lane) {
    const Named named = find(step, lane, form.space, step.operand(1));
    const uint64_t wanted = step.value(step.operand(2), lane);
    const bool phase_waited_for = form.is_parity ? (wanted & 1) != 0 : wanted >> 63 != 0;
    const bool is_complete = named.barrier.phase != phase_waited_for;
    LaneState& state = step.warp.lane_state[static_cast<size_t>(lane)];
    if (!is_complete && form.may_suspend) {
      if (!state.is_timed) state = {false, 0, step.cluster.clock, true};
      const uint64_t limit = form.has_limit ? static_cast<uint32_t>(step.value(step.operand(3), lane))
                                            : default_wait_nanoseconds;
      if (step.cluster.clock - state.since < limit) return;
    }
    state = {};
    done |= 1u << lane;
    if (is_complete && step.cluster.strict) step.cluster.strict->barrier_waited(named.address);
    step.set(step.operand(0), lane, is_complete);
  });
  return done;
}

std::optional<LoweringError> lower_wait(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(
          opcode, "test_wait try_wait parity acquire relaxed cta cluster shared shared::cta b64") ||
      !opcode.has("b64"))
    return unknown_opcode(opcode);
  WaitForm form;
  form.space = space_of(opcode);
  form.is_parity = opcode.has("parity");
  form.may_suspend = opcode.has("try_wait");
  const auto& operands = instruction.operands;
  form.has_limit = form.may_suspend && operands.size() == 4;
  if (operands.size() != (form.has_limit ? 4u : 3u) || operands[0].kind != Operand::Kind::value ||
      operands[0].bits != 1 || !operands[0].is_register || operands[1].kind != Operand::Kind::address ||
      !operands[1].items.empty() || operands[2].kind != Operand::Kind::value ||
      (form.has_limit && operands[3].kind != Operand::Kind::value))
    return wrong_operands(
        opcode, "a predicate, an address, a state or parity and, for try_wait, a time limit if any");
  instruction.data = std::make_shared<const WaitForm>(form);
  instruction.execute = execute_wait;
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
      step.set(step.operand(0), lane, Mbarrier::decode(step.value(step.operand(1), lane)).pending);
    });
    return step.mask;
  };
  return std::nullopt;
}

const RegisteredFamily mbarrier("mbarrier", lower);
const RegisteredFamily test_wait("mbarrier.test_wait", lower_wait);
const RegisteredFamily try_wait("mbarrier.try_wait", lower_wait);
const RegisteredFamily pending_count("mbarrier.pending_count", lower_pending_count);

}  // namespace
}  // namespace assay::emulator
