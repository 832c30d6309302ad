// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/program.h"

#include <algorithm>
#include <map>
#include <utility>

namespace assay::emulator {
namespace {

std::map<std::string, Lower, std::less<>>& families() {
  static std::map<std::string, Lower, std::less<>> registered;
  return registered;
}

}  // namespace

RegisteredFamily::RegisteredFamily(std::string_view prefix, Lower lower) {
  families().emplace(std::string(prefix), lower);
}

Lower find_family(const Opcode& opcode) {
  std::string_view prefix = opcode.text;
  for (;;) {
    const auto found = families().find(prefix);
    if (found != families().end()) return found->second;
    const size_t dot = prefix.rfind('.');
    if (dot == std::string_view::npos) return nullptr;
    prefix = prefix.substr(0, dot);
  }
}

LoweringError unsupported(const Opcode& opcode, std::string_view what) {
  return {Diagnostic::Kind::unknown_instruction,
          "'" + opcode.text + "': this emulator does not support " + std::string(what)};
}

LoweringError unknown_opcode(const Opcode& opcode) {
  return {Diagnostic::Kind::unknown_instruction,
          "the instruction '" + opcode.text + "' is not known to this emulator"};
}

LoweringError wrong_operands(const Opcode& opcode, std::string_view usage) {
  return {Diagnostic::Kind::syntax, "'" + opcode.text + "' takes " + std::string(usage)};
}

uint32_t type_bytes(std::string_view type) {
  static constexpr std::pair<std::string_view, uint32_t> types[] = {
      {"pred", 1}, {"b8", 1},  {"u8", 1},  {"s8", 1},  {"b16", 2},   {"u16", 2},   {"s16", 2},    {"f16", 2},
      {"bf16", 2}, {"b32", 4}, {"u32", 4}, {"s32", 4}, {"f32", 4},   {"f16x2", 4}, {"bf16x2", 4}, {"tf32", 4},
      {"b64", 8},  {"u64", 8}, {"s64", 8}, {"f64", 8}, {"f32x2", 8}, {"b128", 16}};
  for (const auto& [name, bytes] : types)
    if (name == type) return bytes;
  return 0;
}

bool only_known_qualifiers(const Opcode& opcode, std::string_view known) {
  const auto is_known = [&](std::string_view qualifier) {
    for (size_t at = 0; at <= known.size();) {
      const size_t end = std::min(known.find(' ', at), known.size());
      if (known.substr(at, end - at) == qualifier) return true;
      at = end + 1;
    }
    return false;
  };
  return std::all_of(opcode.qualifiers.begin(), opcode.qualifiers.end(), is_known);
}

std::optional<int> multicast_bits(const Opcode& opcode, Target target) {
  const int narrow = opcode.has("multicast::cluster") + opcode.has("multicast::cluster::16b"),
            wide = opcode.has("multicast::cluster::32b");
  if (narrow + wide > 1 || (wide != 0 && !facts_of(target).has_32_ctas)) return std::nullopt;
  return 16 * narrow + 32 * wide;
}

}  // namespace assay::emulator
