// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/ptx/operand_types.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "devices/emulator/ptx/parser.h"

namespace assay::emulator::ptx {

std::string immediate_type(const Opcode& opcode, size_t i) {
  std::string type;
  for (const std::string& qualifier : opcode.qualifiers)
    if (type_bytes(qualifier) != 0) type = qualifier;
  // The addend of a widening multiply is as wide as the result.
  if (opcode.base == "mad" && opcode.has("wide") && i == 3)
    return type == "s16" || type == "u16" ? "u32" : "u64";
  // A shift amount has 32 bits whatever it shifts.
  if ((opcode.base == "shl" || opcode.base == "shr") && i == 2) return "u32";
  // Constants of wgmma are -1, 0 or 1 and no elements.
  if (opcode.base == "wgmma") return "";
  // slct selects between values of its first type by one of its second.
  if (opcode.base == "slct" && i < 3)
    for (const std::string& qualifier : opcode.qualifiers)
      if (type_bytes(qualifier) != 0) return qualifier;
  // Elsewhere .pred is the type of the destination: bar.red.and.pred, vote.sync.all.pred.
  constexpr std::string_view logic[] = {"mov", "and", "or", "xor", "not"};
  if (type == "pred" && std::find(std::begin(logic), std::end(logic), opcode.base) == std::end(logic))
    return "";
  return type;
}

uint64_t integer_immediate(uint64_t value, const std::string& type) {
  const uint32_t bytes = type_bytes(type);
  if (type == "pred") return value != 0;
  return bytes == 0 || bytes >= 8 ? value : value & ((1ull << bytes * 8) - 1);
}

uint64_t real_immediate(uint64_t pattern, uint8_t pattern_bits, const std::string& type) {
  if (pattern_bits == 64 && type == "f32") {
    double value;
    std::memcpy(&value, &pattern, sizeof value);
    const float narrow = static_cast<float>(value);
    uint32_t bits;
    std::memcpy(&bits, &narrow, sizeof bits);
    return bits;
  }
  if (pattern_bits == 32 && type == "f64") {
    const uint32_t bits = static_cast<uint32_t>(pattern);
    float value;
    std::memcpy(&value, &bits, sizeof value);
    const double wide = value;
    std::memcpy(&pattern, &wide, sizeof pattern);
  }
  return pattern;
}

bool needs_machine_move(const Opcode& opcode, const std::vector<Operand>& operands) {
  if (opcode.has("b128")) return true;
  for (const Operand& operand : operands)
    if (operand.kind == Operand::Kind::vector) return true;
  return false;
}

}  // namespace assay::emulator::ptx
