// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "devices/emulator/alu/lanes.h"
#include "devices/emulator/machine/launch.h"
#include "devices/emulator/machine/step.h"

// mov that packs or unpacks vectors or moves 128 bits (ptx, mov). All other mov are lane operations.
namespace assay::emulator {
namespace {

struct MoveForm {
  uint32_t bits;  ///< of the whole
};

/// The 128-bit value of an operand: its parts from the lowest up, or a register.
std::array<uint64_t, 2> gather(const Step& step, const Operand& operand, uint32_t bits, int lane) {
  std::array<uint64_t, 2> made{};
  if (operand.kind != Operand::Kind::vector) {
    made[0] = step.value(operand, lane);
    if (bits == 128) made[1] = step.column({operand.column.index + 1})[lane];
    return made;
  }
  const uint32_t part = bits / static_cast<uint32_t>(operand.items.size());
  for (size_t i = 0; i < operand.items.size(); ++i) {
    const uint64_t value = step.value(operand.items[i], lane) & (part == 64 ? ~0ull : (1ull << part) - 1);
    made[i * part / 64] |= value << i * part % 64;
  }
  return made;
}

void scatter(const Step& step, const Operand& operand, uint32_t bits, int lane,
             const std::array<uint64_t, 2>& value, bool is_tainted) {
  if (operand.kind != Operand::Kind::vector) {
    if (bits == 128)
      step.set_wide(operand, lane, value[0], value[1], is_tainted);
    else
      step.set(operand, lane, value[0], is_tainted);
    return;
  }
  const uint32_t part = bits / static_cast<uint32_t>(operand.items.size());
  for (size_t i = 0; i < operand.items.size(); ++i) {
    const uint64_t mask = part == 64 ? ~0ull : (1ull << part) - 1;
    step.set(operand.items[i], lane, value[i * part / 64] >> i * part % 64 & mask, is_tainted);
  }
}

bool any_tainted(const Step& step, const Operand& operand, int lane) {
  if (operand.kind != Operand::Kind::vector) return step.tainted(operand, lane);
  for (const Operand& item : operand.items)
    if (step.tainted(item, lane)) return true;
  return false;
}

uint32_t execute_move(Step& step) {
  const uint32_t bits = step.data<MoveForm>().bits;
  for_lanes(step.mask, [&](int lane) {
    const bool is_tainted = any_tainted(step, step.operand(1), lane);
    scatter(step, step.operand(0), bits, lane, gather(step, step.operand(1), bits, lane), is_tainted);
  });
  return step.mask;
}

/// Two halves of `part` bits and the register that holds both: most of what compilers pack and unpack.
template <uint32_t part>
void pack_move(const LaneArgs& x) {
  constexpr uint64_t half = (1ull << part) - 1;
  alu::each_lane(x.mask,
                 [=](int lane) { x.d[lane] = (x.s[0][lane] & half) | (x.s[1][lane] & half) << part; });
}
template <uint32_t part>
void unpack_move(const LaneArgs& x) {
  constexpr uint64_t half = (1ull << part) - 1;
  alu::each_lane(x.mask, [=](int lane) {
    const uint64_t whole = x.s[0][lane];
    x.d[lane] = whole & half;
    x.d2[lane] = whole >> part & half;
  });
}

/// True where it has become a lane operation.
bool lower_halves(uint32_t bits, Instruction& instruction) {
  const Operand &to = instruction.operands[0], &from = instruction.operands[1];
  const bool is_pack = from.kind == Operand::Kind::vector;
  const std::vector<Operand>& halves = is_pack ? from.items : to.items;
  if ((bits != 32 && bits != 64) || halves.size() != 2 || to.kind == Operand::Kind::sink ||
      halves[0].kind != Operand::Kind::value || halves[1].kind != Operand::Kind::value)
    return false;
  const Column low = halves[0].column, high = halves[1].column;
  if (is_pack) {
    instruction.lane_op = bits == 32 ? pack_move<16> : pack_move<32>;
    instruction.d = to.column;
    instruction.s[0] = low;
    instruction.s[1] = high;
  } else {
    instruction.lane_op = bits == 32 ? unpack_move<16> : unpack_move<32>;
    instruction.d = low;
    instruction.d2 = high;
    instruction.s[0] = from.column;
  }
  instruction.sources = is_pack ? 2 : 1;
  instruction.operands.clear();
  return true;
}

std::optional<LoweringError> lower_move(const Opcode& opcode, Target, Instruction& instruction) {
  if (opcode.qualifiers.size() != 1) return unknown_opcode(opcode);
  const uint32_t bits = type_bytes(opcode.qualifiers[0]) * 8;
  if (bits < 16 || opcode.qualifiers[0] == "pred") return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  const LoweringError wrong =
      wrong_operands(opcode, "a destination and a source, of which one may be a vector of 1, 2 or 4 parts");
  if (operands.size() != 2) return wrong;
  for (size_t i = 0; i < 2; ++i) {
    const Operand& operand = operands[i];
    if (operand.kind != Operand::Kind::vector) {
      if (operand.kind == Operand::Kind::sink && i == 0) continue;
      if (operand.kind != Operand::Kind::value || (i == 0 && !operand.is_register) ||
          (operand.is_register && operand.bits != bits) || (bits == 128 && !operand.is_register))
        return wrong;
      continue;
    }
    const size_t parts = operand.items.size();
    if ((parts != 1 && parts != 2 && parts != 4) || bits / parts < 8 || bits / parts > 64) return wrong;
    for (const Operand& item : operand.items) {
      if (item.kind == Operand::Kind::sink && i == 0) continue;
      if (item.kind != Operand::Kind::value || (i == 0 && !item.is_register) ||
          (item.is_register && item.bits != bits / parts && !(bits / parts == 8 && item.bits == 16)))
        return wrong;
    }
  }
  if (lower_halves(bits, instruction)) return std::nullopt;
  instruction.data = std::make_shared<const MoveForm>(MoveForm{bits});
  instruction.execute = execute_move;
  return std::nullopt;
}

const RegisteredFamily mov("mov", lower_move);

// cvta, isspacep, mapa, getctarank (ptx, Data Movement and Conversion Instructions). Global, const, local and
// param addresses are generic addresses already; those of shared memory differ by the cluster's window.

bool is_value_of_address(const Operand& operand) {
  return operand.kind == Operand::Kind::value;
}
bool is_shared(Space space) {
  return space == Space::shared_cta || space == Space::shared_cluster;
}

struct ConvertForm {
  bool to_space;
};

uint32_t convert_address(Step& step) {
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

/// An address of a parameter may be held in 32 bits (Triton's kernels do): of it the low ones count.
uint32_t convert_param_address(Step& step) {
  const auto base = reinterpret_cast<uint64_t>(step.cluster.launch.params());
  for_lanes(step.mask, [&](int lane) {
    const auto offset = static_cast<uint32_t>(step.value(step.operand(1), lane) - base);
    step.set(step.operand(0), lane, base + offset, step.tainted(step.operand(1), lane));
  });
  return step.mask;
}

std::optional<LoweringError> lower_convert(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(
          opcode, "to const global local shared shared::cta shared::cluster param param::entry u64") ||
      !opcode.has("u64") || space_of(opcode) == Space::generic)
    return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (operands.size() != 2 || !operands[0].is_register_of(64) || !is_value_of_address(operands[1]))
    return wrong_operands(opcode, "a 64-bit destination and an address");
  if (space_of(opcode) == Space::param && !opcode.has("to")) {
    instruction.execute = convert_param_address;
    return std::nullopt;
  }
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
  instruction.execute = convert_address;
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
  if (operands.size() != 2 || !operands[0].is_register_of(1) || !is_value_of_address(operands[1]))
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
  if (operands.size() != (is_map ? 3u : 2u) || !operands[0].is_register_of(is_map ? bits : 32) ||
      !is_value_of_address(operands[1]) || (is_map && !is_value_of_address(operands[2])))
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
}  // namespace assay::emulator
