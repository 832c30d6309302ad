// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <utility>

#include "devices/emulator/machine/step.h"
#include "devices/emulator/machine/strict.h"

// bar.warp.sync, elect.sync, shfl.sync, vote.sync, match.sync, redux.sync, activemask (ptx, Parallel
// Synchronization and Communication Instructions; Data Movement: shfl.sync). A lane waits until all lanes of
// its membermask that have not exited have come to an instruction with the same qualifiers and membermask,
// which need not be the same one; then all execute together. An H200 does so for each of them.
namespace assay::emulator {
namespace {

enum class Outsiders { refused, tolerated };

/// Lanes that have met, each at an instruction of its own.
struct Meeting {
  const Step& step;
  uint32_t lanes;
  const Instruction& at(int lane) const {
    return step.mask >> lane & 1 ? step.instruction : *step.warp.waits_at[static_cast<size_t>(lane)];
  }
  size_t operand_count(int lane) const { return at(lane).operands.size(); }
  const Operand& operand(int lane, size_t i) const { return at(lane).operands[i]; }
  /// The i-th operand from the end: the destinations before them may be one or two.
  const Operand& source(int lane, size_t i) const { return operand(lane, operand_count(lane) - i); }
  uint64_t value(int lane, size_t i) const { return step.value(source(lane, i), lane); }
  bool tainted(int lane, size_t i) const { return step.tainted(source(lane, i), lane); }
};

/// The lanes at other instructions that wait with this membermask and these qualifiers.
uint32_t waiting_elsewhere(const Step& step, uint32_t membermask) {
  const Warp& warp = step.warp;
  uint32_t waiting = 0;
  for_lanes(membermask & warp.waiting & warp.live & ~step.mask, [&](int lane) {
    const auto l = static_cast<size_t>(lane);
    if (warp.sync_mask[l] == membermask && warp.waits_at[l]->opcode->text == step.instruction.opcode->text)
      waiting |= 1u << lane;
  });
  return waiting;
}

/// Calls run(Meeting) for each set of lanes that share a membermask, the last operand, and are all there;
/// those at other instructions pass these when it is their turn. Lanes that are not in their own membermask
/// end the launch, or are there by chance. Returns the lanes that are done.
template <typename Run>
uint32_t meet(Step& step, Run run, Outsiders outsiders = Outsiders::refused) {
  Warp& warp = step.warp;
  uint32_t done = step.mask & warp.synced;
  uint32_t left = step.mask & ~done;
  warp.synced &= ~done;
  const Operand& mask = step.operand(step.operand_count() - 1);
  while (left != 0) {
    const uint32_t membermask = static_cast<uint32_t>(step.value(mask, __builtin_ctz(left)));
    uint32_t lanes = 0;
    for_lanes(left, [&](int lane) {
      lanes |= static_cast<uint32_t>(static_cast<uint32_t>(step.value(mask, lane)) == membermask) << lane;
    });
    left &= ~lanes;
    if ((lanes & ~membermask) != 0 && outsiders == Outsiders::refused)
      step.fail(Diagnostic::Kind::illegal_instruction, __builtin_ctz(lanes & ~membermask),
                "the lane is not in its own membermask");
    const uint32_t there = lanes | waiting_elsewhere(step, membermask);
    warp.waiting |= lanes;
    if ((membermask & warp.live & ~there) != 0) {
      for_lanes(lanes, [&](int lane) {
        warp.sync_mask[static_cast<size_t>(lane)] = membermask;
        warp.waits_at[static_cast<size_t>(lane)] = &step.instruction;
      });
      continue;
    }
    if ((lanes & ~membermask) != 0 && step.cluster.strict)
      step.cluster.strict->lane_outside_membermask(step.issuer(__builtin_ctz(lanes & ~membermask)));
    run(Meeting{step, there});
    warp.waiting &= ~there;
    warp.synced |= there & ~lanes;
    if ((there & ~lanes) != 0) ++step.cluster.progress;
    done |= lanes;
  }
  return done;
}

bool is_value_of_collective(const Operand& operand) {
  return operand.kind == Operand::Kind::value;
}
bool is_target(const Operand& operand, uint16_t bits) {
  return operand.kind == Operand::Kind::sink ||
         (is_value_of_collective(operand) && operand.is_register && operand.bits == bits);
}

std::optional<LoweringError> lower_warp_sync(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "warp sync")) return unknown_opcode(opcode);
  if (instruction.operands.size() != 1 || !is_value_of_collective(instruction.operands[0]))
    return wrong_operands(opcode, "a membermask");
  instruction.execute = [](Step& step) -> uint32_t {
    return meet(step, [&](const Meeting& m) {
      if (step.cluster.strict)
        step.cluster.strict->races.order.warp_meets(step.lanes_of(m.lanes), step.warp.live & ~m.lanes);
    });
  };
  return std::nullopt;
}

std::optional<LoweringError> lower_elect(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "sync")) return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (operands.size() != 3 || !is_target(operands[0], 32) || !is_target(operands[1], 1) ||
      !is_value_of_collective(operands[2]))
    return wrong_operands(opcode, "a register, a predicate and a membermask");
  instruction.execute = [](Step& step) -> uint32_t {
    return meet(step, [&](const Meeting& m) {
      // Which lane is elected is left open, but is always the same for the same membermask (ptx, elect.sync).
      const int leader = __builtin_ctz(m.lanes);
      for_lanes(m.lanes, [&](int lane) {
        step.set(m.operand(lane, 0), lane, static_cast<uint64_t>(leader));
        step.set(m.operand(lane, 1), lane, lane == leader);
      });
    });
  };
  return std::nullopt;
}

/// Lanes at two instructions of which one lies behind the other.
void note_other_shuffles(const Meeting& m) {
  if (!m.step.cluster.strict) return;
  const Instruction* known = nullptr;
  for_lanes(m.lanes & ~m.step.mask, [&](int lane) {
    if (std::exchange(known, &m.at(lane)) == &m.at(lane)) return;
    Issuer other = m.step.issuer(lane);
    other.line = known->line;
    m.step.cluster.strict->shuffles_apart(m.step.issuer(__builtin_ctz(m.step.mask)), other);
  });
}

enum class Shuffle : uint8_t { up, down, butterfly, index };

uint32_t execute_shuffle(Step& step) {
  const Shuffle mode = step.data<Shuffle>();
  return meet(step, [&](const Meeting& m) {
    note_other_shuffles(m);
    uint64_t values[warp_lanes];
    uint32_t inside = 0, tainted = 0;
    for_lanes(m.lanes, [&](int lane) {
      // (ptx, shfl.sync): c holds the clamp value in bits 4:0 and the segment mask in bits 12:8.
      const int b = static_cast<int>(m.value(lane, 3) & 31);
      const uint32_t c = static_cast<uint32_t>(m.value(lane, 2));
      const int clamp = static_cast<int>(c & 31), segment = static_cast<int>(c >> 8 & 31);
      const int highest = (lane & segment) | (clamp & ~segment), lowest = lane & segment;
      int source = lane;
      bool is_inside = false;
      switch (mode) {
        case Shuffle::up:
          source = lane - b;
          is_inside = source >= highest;
          break;
        case Shuffle::down:
          source = lane + b;
          is_inside = source <= highest;
          break;
        case Shuffle::butterfly:
          source = lane ^ b;
          is_inside = source <= highest;
          break;
        case Shuffle::index:
          source = lowest | (b & ~segment);
          is_inside = source <= highest;
          break;
      }
      if (!is_inside) source = lane;
      // A lane that is not there gives what the register holds that it is asked for (ptx: undefined).
      const bool is_named = (m.value(lane, 1) >> source & 1) != 0, is_there = (m.lanes >> source & 1) != 0;
      const bool was_there = step.warp.thread(source) < step.cta.threads;
      if (is_named && !is_there && was_there && step.cluster.strict)
        step.cluster.strict->shuffle_from_absent(step.issuer(lane), source);
      const Operand& from = m.source(m.lanes >> source & 1 ? source : lane, 4);
      values[lane] = step.value(from, source);
      tainted |= static_cast<uint32_t>(step.tainted(from, source)) << lane;
      inside |= static_cast<uint32_t>(is_inside) << lane;
    });
    for_lanes(m.lanes, [&](int lane) {
      step.set(m.operand(lane, 0), lane, values[lane], tainted >> lane & 1);
      if (m.operand_count(lane) == 6) step.set(m.operand(lane, 1), lane, inside >> lane & 1);
    });
  });
}

std::optional<LoweringError> lower_shuffle(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "sync up down bfly idx b32") || !opcode.has("sync") ||
      !opcode.has("b32"))
    return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  const Shuffle mode = opcode.has("up")     ? Shuffle::up
                       : opcode.has("down") ? Shuffle::down
                       : opcode.has("bfly") ? Shuffle::butterfly
                                            : Shuffle::index;
  const bool has_predicate = operands.size() == 6;
  const LoweringError wrong = wrong_operands(opcode, "d or d|p, a source, a lane, a clamp and a membermask");
  if (operands.size() != 5 && operands.size() != 6) return wrong;
  if (!is_target(operands[0], 32) || (has_predicate && !is_target(operands[1], 1))) return wrong;
  for (size_t i = has_predicate ? 2 : 1; i < operands.size(); ++i)
    if (!is_value_of_collective(operands[i])) return wrong;
  instruction.data = std::make_shared<const Shuffle>(mode);
  instruction.execute = execute_shuffle;
  return std::nullopt;
}

std::optional<LoweringError> lower_vote(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "sync all any uni ballot pred b32") || !opcode.has("sync"))
    return unknown_opcode(opcode);
  const bool is_ballot = opcode.has("ballot");
  if (is_ballot != opcode.has("b32") || is_ballot == opcode.has("pred")) return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (operands.size() != 3 || !is_target(operands[0], is_ballot ? 32 : 1) ||
      !is_value_of_collective(operands[1]) || !is_value_of_collective(operands[2]))
    return wrong_operands(opcode, "a destination, a predicate and a membermask");
  instruction.execute = [](Step& step) -> uint32_t {
    return meet(step, [&](const Meeting& m) {
      uint32_t holds = 0;
      for_lanes(m.lanes, [&](int lane) { holds |= static_cast<uint32_t>(m.value(lane, 2) != 0) << lane; });
      const Opcode& opcode = *step.instruction.opcode;
      const uint64_t result = opcode.has("ballot") ? holds
                              : opcode.has("all")  ? holds == m.lanes
                              : opcode.has("any")  ? holds != 0
                                                   : holds == m.lanes || holds == 0;
      for_lanes(m.lanes, [&](int lane) { step.set(m.operand(lane, 0), lane, result); });
    });
  };
  return std::nullopt;
}

std::optional<LoweringError> lower_match(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "sync any all b32 b64") || opcode.has("any") == opcode.has("all") ||
      opcode.has("b32") == opcode.has("b64"))
    return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  const size_t a = operands.size() == 4 && opcode.has("all") ? 2 : 1;
  if (operands.size() != a + 2 || !is_target(operands[0], 32) || (a == 2 && !is_target(operands[1], 1)) ||
      !is_value_of_collective(operands[a]) || !is_value_of_collective(operands[a + 1]))
    return wrong_operands(opcode, "d (or d|p for all), a value and a membermask");
  instruction.execute = [](Step& step) -> uint32_t {
    const uint64_t width = step.instruction.opcode->has("b64") ? ~0ull : 0xffffffffull;
    const auto match = [&](const Meeting& m) {
      // An H100 lets a lane outside its membermask run along; it has no part in what the others see.
      const uint32_t members = m.lanes & static_cast<uint32_t>(m.value(__builtin_ctz(m.lanes), 1));
      uint32_t equal[warp_lanes] = {};
      for_lanes(m.lanes, [&](int lane) {
        for_lanes(members, [&](int other) {
          if (((m.value(lane, 2) ^ m.value(other, 2)) & width) == 0) equal[lane] |= 1u << other;
        });
      });
      const bool is_all = step.instruction.opcode->has("all");
      for_lanes(m.lanes, [&](int lane) {
        const bool all_equal = equal[lane] == members;
        step.set(m.operand(lane, 0), lane, !is_all ? equal[lane] : all_equal ? members : 0);
        if (m.operand_count(lane) == 4) step.set(m.operand(lane, 1), lane, all_equal);
      });
    };
    return meet(step, match, Outsiders::tolerated);
  };
  return std::nullopt;
}

/// redux.sync over lanes; the result of combining from the lowest lane up.
uint32_t reduce_float(const Opcode& opcode, uint32_t x, uint32_t y) {
  const auto magnitude = [&](uint32_t bits) { return opcode.has("abs") ? bits & 0x7fffffff : bits; };
  const float a = std::bit_cast<float>(magnitude(x)), b = std::bit_cast<float>(magnitude(y));
  if (a != a || b != b) {
    if (opcode.has("NaN") || (a != a && b != b)) return 0x7fffffff;
    return magnitude(a != a ? y : x);
  }
  const bool first_is_less = a < b || (a == b && (magnitude(x) >> 31) > (magnitude(y) >> 31));
  return first_is_less == opcode.has("min") ? magnitude(x) : magnitude(y);
}

uint32_t reduce_collective(const Opcode& opcode, uint32_t x, uint32_t y) {
  if (opcode.has("f32")) return reduce_float(opcode, x, y);
  if (opcode.has("add")) return x + y;
  if (opcode.has("and")) return x & y;
  if (opcode.has("or")) return x | y;
  if (opcode.has("xor")) return x ^ y;
  const bool is_less = opcode.has("s32") ? static_cast<int32_t>(x) < static_cast<int32_t>(y) : x < y;
  return is_less == opcode.has("min") ? x : y;
}

std::optional<LoweringError> lower_redux(const Opcode& opcode, Target target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "sync add min max and or xor abs NaN u32 s32 b32 f32"))
    return unknown_opcode(opcode);
  const bool is_logic = opcode.has("and") || opcode.has("or") || opcode.has("xor");
  const bool is_extreme = opcode.has("min") || opcode.has("max");
  if (!is_logic && !is_extreme && !opcode.has("add")) return unknown_opcode(opcode);
  if (opcode.has("b32") != is_logic) return unknown_opcode(opcode);
  // (ptx, redux.sync) f32 with min and max.
  if (opcode.has("f32") && (!is_extreme || !facts_of(target).reduces_floats)) return unknown_opcode(opcode);
  if ((opcode.has("abs") || opcode.has("NaN")) && !opcode.has("f32")) return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (operands.size() != 3 || !is_target(operands[0], 32) || !is_value_of_collective(operands[1]) ||
      !is_value_of_collective(operands[2]))
    return wrong_operands(opcode, "a destination, a source and a membermask");
  instruction.execute = [](Step& step) -> uint32_t {
    return meet(step, [&](const Meeting& m) {
      const Opcode& opcode = *step.instruction.opcode;
      const int first = __builtin_ctz(m.lanes);
      uint32_t total = static_cast<uint32_t>(m.value(first, 2));
      if (m.lanes == 1u << first && opcode.has("f32")) total = reduce_collective(opcode, total, total);
      for_lanes(m.lanes & (m.lanes - 1), [&](int lane) {
        total = reduce_collective(opcode, total, static_cast<uint32_t>(m.value(lane, 2)));
      });
      bool is_tainted = false;
      for_lanes(m.lanes, [&](int lane) { is_tainted |= m.tainted(lane, 2); });
      for_lanes(m.lanes, [&](int lane) { step.set(m.operand(lane, 0), lane, total, is_tainted); });
    });
  };
  return std::nullopt;
}

std::optional<LoweringError> lower_activemask(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "b32") || !opcode.has("b32")) return unknown_opcode(opcode);
  if (instruction.operands.size() != 1 || !is_target(instruction.operands[0], 32))
    return wrong_operands(opcode, "a 32-bit destination");
  instruction.execute = [](Step& step) -> uint32_t {
    for_lanes(step.mask, [&](int lane) { step.set(step.operand(0), lane, step.mask); });
    return step.mask;
  };
  return std::nullopt;
}

const RegisteredFamily warp_sync("bar.warp", lower_warp_sync);
const RegisteredFamily elect("elect", lower_elect);
const RegisteredFamily shfl("shfl", lower_shuffle);
const RegisteredFamily vote("vote", lower_vote);
const RegisteredFamily match("match", lower_match);
const RegisteredFamily redux("redux", lower_redux);
const RegisteredFamily activemask("activemask", lower_activemask);

}  // namespace
}  // namespace assay::emulator
