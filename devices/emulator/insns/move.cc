// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "devices/emulator/alu/lanes.h"
#include "devices/emulator/machine/step.h"

// mov that packs or unpacks vectors or moves 128 bits (ptx, mov). All other mov are lane operations.
namespace assay::emulator::insn_move {
namespace {

struct Form {
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

uint32_t execute(Step& step) {
  const uint32_t bits = step.data<Form>().bits;
  for_lanes(step.mask, [&](int lane) {
    const bool is_tainted = any_tainted(step, step.operand(1), lane);
    scatter(step, step.operand(0), bits, lane, gather(step, step.operand(1), bits, lane), is_tainted);
  });
  return step.mask;
}

/// Two halves of `part` bits and the register that holds both: most of what compilers pack and unpack.
template <uint32_t part>
void pack(const LaneArgs& x) {
  constexpr uint64_t half = (1ull << part) - 1;
  alu::each_lane(x.mask,
                 [=](int lane) { x.d[lane] = (x.s[0][lane] & half) | (x.s[1][lane] & half) << part; });
}
template <uint32_t part>
void unpack(const LaneArgs& x) {
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
    instruction.lane_op = bits == 32 ? pack<16> : pack<32>;
    instruction.d = to.column;
    instruction.s[0] = low;
    instruction.s[1] = high;
  } else {
    instruction.lane_op = bits == 32 ? unpack<16> : unpack<32>;
    instruction.d = low;
    instruction.d2 = high;
    instruction.s[0] = from.column;
  }
  instruction.sources = is_pack ? 2 : 1;
  instruction.operands.clear();
  return true;
}

std::optional<LoweringError> lower(const Opcode& opcode, Target, Instruction& instruction) {
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
  instruction.data = std::make_shared<const Form>(Form{bits});
  instruction.execute = execute;
  return std::nullopt;
}

const RegisteredFamily mov("mov", lower);

}  // namespace
}  // namespace assay::emulator::insn_move
