// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/alu/lanes.h"
#include "devices/emulator/machine/access.h"
#include "devices/emulator/machine/launch.h"

// cvta, isspacep, mapa, getctarank (ptx, Data Movement and Conversion Instructions). Global, const, local and
// param addresses are generic addresses already; those of shared memory differ by the cluster's window.
namespace assay::emulator::insn_addresses {
namespace {

bool is_value(const Operand& operand) {
  return operand.kind == Operand::Kind::value;
}
bool is_register(const Operand& operand, uint16_t bits) {
  return is_value(operand) && operand.is_register && operand.bits == bits;
}
bool is_shared(Space space) {
  return space == Space::shared_cta || space == Space::shared_cluster;
}

struct ConvertForm {
  bool to_space;
};

uint32_t convert(Step& step) {
  const ConvertForm& form = step.data<ConvertForm>();
  for_lanes(step.mask, [&](int lane) {
    uint64_t address = step.value(step.operand(1), lane);
    // A generic address of another space gives no shared address; what it gives is caught where it is used.
    address = form.to_space ? address - step.cluster.generic_window()
                            : step.cluster.generic_window() + static_cast<uint32_t>(address);
    step.set(step.operand(0), lane, address, step.tainted(step.operand(1), lane));
  });
  return step.mask;
}

std::optional<LoweringError> lower_convert(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(
          opcode, "to const global local shared shared::cta shared::cluster param param::entry u64") ||
      !opcode.has("u64") || space_of(opcode) == Space::generic)
    return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (operands.size() != 2 || !is_register(operands[0], 64) || !is_value(operands[1]))
    return wrong_operands(opcode, "a 64-bit destination and an address");
  if (!is_shared(space_of(opcode))) {
    instruction.lane_op = [](const LaneArgs& x) {
      alu::each_lane(x.mask, [=](int lane) { x.d[lane] = x.s[0][lane]; });
    };
    instruction.d = operands[0].column;
    instruction.s[0] = operands[1].column;
    instruction.sources = 1;
    instruction.operands.clear();
    return std::nullopt;
  }
  instruction.data = std::make_shared<const ConvertForm>(ConvertForm{opcode.has("to")});
  instruction.execute = convert;
  return std::nullopt;
}

uint32_t test_space(Step& step) {
  const Space space = space_of(*step.instruction.opcode);
  for_lanes(step.mask, [&](int lane) {
    const uint64_t address = step.value(step.operand(1), lane);
    const auto inside = [&](uint64_t begin, uint64_t size) {
      return address >= begin && address - begin < size;
    };
    const Launch& launch = step.cluster.launch;
    const bool in_cluster = step.cluster.is_generic_shared(address);
    const bool in_local = step.warp.is_generic_local(address);
    const bool in_params =
        inside(reinterpret_cast<uint64_t>(step.cluster.launch.params()), launch.params_bytes());
    bool holds = false;
    switch (space) {
      case Space::shared_cluster:
        holds = in_cluster;
        break;
      case Space::shared_cta:
        holds = in_cluster && (address - step.cluster.generic_window()) >> shared_rank_shift == step.cta.rank;
        break;
      case Space::local:
        holds = in_local;
        break;
      case Space::param:
        holds = in_params;
        break;
      case Space::constant:
        holds = launch.program.is_constant(address);
        break;
      default:
        holds = !in_cluster && !in_local && !in_params &&
                address - generic_shared_base >= generic_shared_bytes && !launch.program.is_constant(address);
        break;
    }
    step.set(step.operand(0), lane, holds);
  });
  return step.mask;
}

std::optional<LoweringError> lower_test_space(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode,
                             "const global local shared shared::cta shared::cluster param param::entry") ||
      opcode.qualifiers.size() != 1)
    return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (operands.size() != 2 || !is_register(operands[0], 1) || !is_value(operands[1]))
    return wrong_operands(opcode, "a predicate and an address");
  instruction.execute = test_space;
  return std::nullopt;
}

struct MapForm {
  bool is_generic;
};

uint32_t map_to_rank(Step& step) {
  const MapForm& form = step.data<MapForm>();
  for_lanes(step.mask, [&](int lane) {
    const uint64_t from = step.value(step.operand(1), lane);
    const uint64_t rank = static_cast<uint32_t>(step.value(step.operand(2), lane));
    if (rank >= step.cluster.ctas.size())
      step.fail(Diagnostic::Kind::illegal_instruction, lane,
                "mapa to CTA " + std::to_string(rank) + " of a cluster of " +
                    std::to_string(step.cluster.ctas.size()));
    const uint32_t address = step.shared_address(from, form.is_generic, lane);
    const uint64_t mapped = (address & shared_offset_mask) | rank << shared_rank_shift;
    step.set(step.operand(0), lane, form.is_generic ? step.cluster.generic_window() + mapped : mapped);
  });
  return step.mask;
}

uint32_t rank_of(Step& step) {
  const MapForm& form = step.data<MapForm>();
  for_lanes(step.mask, [&](int lane) {
    step.set(
        step.operand(0), lane,
        step.shared_address(step.value(step.operand(1), lane), form.is_generic, lane) >> shared_rank_shift);
  });
  return step.mask;
}

std::optional<LoweringError> lower_map(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "shared::cluster u32 u64") || opcode.has("u32") == opcode.has("u64"))
    return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  const uint16_t bits = opcode.has("u64") ? 64 : 32;
  const bool is_map = opcode.base == "mapa";
  if (operands.size() != (is_map ? 3u : 2u) || !is_register(operands[0], is_map ? bits : 32) ||
      !is_value(operands[1]) || (is_map && !is_value(operands[2])))
    return wrong_operands(opcode,
                          is_map ? "a destination, an address and a rank" : "a destination and an address");
  instruction.data = std::make_shared<const MapForm>(MapForm{!opcode.has("shared::cluster")});
  instruction.execute = is_map ? map_to_rank : rank_of;
  return std::nullopt;
}

const RegisteredFamily cvta("cvta", lower_convert);
const RegisteredFamily isspacep("isspacep", lower_test_space);
const RegisteredFamily mapa("mapa", lower_map);
const RegisteredFamily getctarank("getctarank", lower_map);

}  // namespace
}  // namespace assay::emulator::insn_addresses
