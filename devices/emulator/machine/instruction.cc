#include "devices/emulator/machine/instruction.h"

#include <algorithm>
#include <map>

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

LoweringError unknown_opcode(const Opcode& opcode) {
  return {Diagnostic::Kind::unknown_instruction,
          "the instruction '" + opcode.text + "' is not known to this emulator"};
}

LoweringError wrong_operands(const Opcode& opcode, std::string_view usage) {
  return {Diagnostic::Kind::syntax, "'" + opcode.text + "' takes " + std::string(usage)};
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

}  // namespace assay::emulator
