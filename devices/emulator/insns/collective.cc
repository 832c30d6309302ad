// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cstring>

#include "devices/emulator/machine/step.h"
#include "devices/emulator/machine/strict.h"

// elect.sync, shfl.sync, vote.sync, match.sync, redux.sync, activemask (ptx, Parallel Synchronization and
// Communication Instructions; Data Movement: shfl.sync). Lanes wait at the instruction until all lanes of
// their membermask that have not exited are there; then all execute together.
namespace assay::emulator {
namespace {

enum class Outsiders { refused, tolerated };

/// Calls run(lanes) for each set of lanes that share a membermask (operand `mask_operand`) and are all there.
/// Lanes that are not in their own membermask end the launch, or are there by chance. Returns the lanes that
/// ran.
template <typename Run>
uint32_t meet_collective(Step& step, size_t mask_operand, Run run, Outsiders outsiders = Outsiders::refused) {
  uint32_t left = step.mask, done = 0;
  while (left != 0) {
    const int first = __builtin_ctz(left);
    const uint32_t membermask = static_cast<uint32_t>(step.value(step.operand(mask_operand), first));
    uint32_t lanes = 0;
    for_lanes(left, [&](int lane) {
      if (static_cast<uint32_t>(step.value(step.operand(mask_operand), lane)) == membermask)
        lanes |= 1u << lane;
    });
    left &= ~lanes;
    if ((lanes & ~membermask) != 0 && outsiders == Outsiders::refused)
      step.fail(Diagnostic::Kind::illegal_instruction, __builtin_ctz(lanes & ~membermask),
                "the lane is not in its own membermask");
    if ((membermask & step.warp.live & ~lanes) != 0) continue;
    if ((lanes & ~membermask) != 0 && step.cluster.strict)
      step.cluster.strict->lane_outside_membermask(step.issuer(__builtin_ctz(lanes & ~membermask)));
    run(lanes);
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

uint32_t any_taint(const Step& step, const Operand& operand, uint32_t lanes) {
  uint32_t tainted = 0;
  for_lanes(lanes, [&](int lane) { tainted |= static_cast<uint32_t>(step.tainted(operand, lane)) << lane; });
  return tainted;
}

std::optional<LoweringError> lower_elect(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "sync")) return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (operands.size() != 3 || !is_target(operands[0], 32) || !is_target(operands[1], 1) ||
      !is_value_of_collective(operands[2]))
    return wrong_operands(opcode, "a register, a predicate and a membermask");
  instruction.execute = [](Step& step) -> uint32_t {
    return meet_collective(step, 2, [&](uint32_t lanes) {
      // Which lane is elected is left open, but is always the same for the same membermask (ptx, elect.sync).
      const int leader = __builtin_ctz(lanes);
      for_lanes(lanes, [&](int lane) {
        step.set(step.operand(0), lane, static_cast<uint64_t>(leader));
        step.set(step.operand(1), lane, lane == leader);
      });
    });
  };
  return std::nullopt;
}

enum class Shuffle : uint8_t { up, down, butterfly, index };
struct ShuffleForm {
  Shuffle mode;
  bool has_predicate;
};

uint32_t execute_shuffle(Step& step) {
  const ShuffleForm& form = step.data<ShuffleForm>();
  const size_t a = form.has_predicate ? 2 : 1;
  return meet_collective(step, a + 3, [&](uint32_t lanes) {
    uint64_t from[warp_lanes];
    std::memcpy(from, step.column(step.operand(a).column), sizeof from);
    const uint32_t tainted = any_taint(step, step.operand(a), ~0u);
    for_lanes(lanes, [&](int lane) {
      // (ptx, shfl.sync): c holds the clamp value in bits 4:0 and the segment mask in bits 12:8.
      const int b = static_cast<int>(step.value(step.operand(a + 1), lane) & 31);
      const uint32_t c = static_cast<uint32_t>(step.value(step.operand(a + 2), lane));
      const int clamp = static_cast<int>(c & 31), segment = static_cast<int>(c >> 8 & 31);
      const int highest = (lane & segment) | (clamp & ~segment), lowest = lane & segment;
      int source = lane;
      bool is_inside = false;
      switch (form.mode) {
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
      step.set(step.operand(0), lane, from[source], tainted >> source & 1);
      if (form.has_predicate) step.set(step.operand(1), lane, is_inside);
    });
  });
}

std::optional<LoweringError> lower_shuffle(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "sync up down bfly idx b32") || !opcode.has("sync") ||
      !opcode.has("b32"))
    return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  ShuffleForm form{opcode.has("up")     ? Shuffle::up
                   : opcode.has("down") ? Shuffle::down
                   : opcode.has("bfly") ? Shuffle::butterfly
                                        : Shuffle::index,
                   operands.size() == 6};
  const LoweringError wrong = wrong_operands(opcode, "d or d|p, a source, a lane, a clamp and a membermask");
  if (operands.size() != 5 && operands.size() != 6) return wrong;
  if (!is_target(operands[0], 32) || (form.has_predicate && !is_target(operands[1], 1))) return wrong;
  for (size_t i = form.has_predicate ? 2 : 1; i < operands.size(); ++i)
    if (!is_value_of_collective(operands[i])) return wrong;
  instruction.data = std::make_shared<const ShuffleForm>(form);
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
    return meet_collective(step, 2, [&](uint32_t lanes) {
      uint32_t holds = 0;
      for_lanes(lanes, [&](int lane) {
        holds |= static_cast<uint32_t>(step.value(step.operand(1), lane) != 0) << lane;
      });
      const Opcode& opcode = *step.instruction.opcode;
      const uint64_t result = opcode.has("ballot") ? holds
                              : opcode.has("all")  ? holds == lanes
                              : opcode.has("any")  ? holds != 0
                                                   : holds == lanes || holds == 0;
      for_lanes(lanes, [&](int lane) { step.set(step.operand(0), lane, result); });
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
    const size_t a = step.operand_count() - 2;
    const uint64_t width = step.instruction.opcode->has("b64") ? ~0ull : 0xffffffffull;
    const auto match = [&](uint32_t lanes) {
      // An H100 lets a lane outside its membermask run along; it has no part in what the others see.
      const int first = __builtin_ctz(lanes);
      const uint32_t members = lanes & static_cast<uint32_t>(step.value(step.operand(a + 1), first));
      uint32_t equal[warp_lanes] = {};
      for_lanes(lanes, [&](int lane) {
        for_lanes(members, [&](int other) {
          if (((step.value(step.operand(a), lane) ^ step.value(step.operand(a), other)) & width) == 0)
            equal[lane] |= 1u << other;
        });
      });
      const bool is_all = step.instruction.opcode->has("all");
      for_lanes(lanes, [&](int lane) {
        const bool all_equal = equal[lane] == members;
        step.set(step.operand(0), lane, !is_all ? equal[lane] : all_equal ? members : 0);
        if (a == 2) step.set(step.operand(1), lane, all_equal);
      });
    };
    return meet_collective(step, a + 1, match, Outsiders::tolerated);
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
  // (ptx, redux.sync) f32 with min and max, on sm_100a and its family.
  if (opcode.has("f32") && (!is_extreme || !has_tensor_memory(target))) return unknown_opcode(opcode);
  if ((opcode.has("abs") || opcode.has("NaN")) && !opcode.has("f32")) return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (operands.size() != 3 || !is_target(operands[0], 32) || !is_value_of_collective(operands[1]) ||
      !is_value_of_collective(operands[2]))
    return wrong_operands(opcode, "a destination, a source and a membermask");
  instruction.execute = [](Step& step) -> uint32_t {
    return meet_collective(step, 2, [&](uint32_t lanes) {
      const Opcode& opcode = *step.instruction.opcode;
      const int first = __builtin_ctz(lanes);
      uint32_t total = static_cast<uint32_t>(step.value(step.operand(1), first));
      if (lanes == 1u << first && opcode.has("f32")) total = reduce_collective(opcode, total, total);
      for_lanes(lanes & (lanes - 1), [&](int lane) {
        total = reduce_collective(opcode, total, static_cast<uint32_t>(step.value(step.operand(1), lane)));
      });
      const bool is_tainted = any_taint(step, step.operand(1), lanes) != 0;
      for_lanes(lanes, [&](int lane) { step.set(step.operand(0), lane, total, is_tainted); });
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

const RegisteredFamily elect("elect", lower_elect);
const RegisteredFamily shfl("shfl", lower_shuffle);
const RegisteredFamily vote("vote", lower_vote);
const RegisteredFamily match("match", lower_match);
const RegisteredFamily redux("redux", lower_redux);
const RegisteredFamily activemask("activemask", lower_activemask);

}  // namespace
}  // namespace assay::emulator
