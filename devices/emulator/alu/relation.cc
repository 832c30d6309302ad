// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/alu/relation.h"

#include <bit>

namespace assay::emulator::alu {

std::optional<Comparison> comparison_of(const Words& w) {
  const uint64_t relation = w.set & all_relations, join = w.set & boolean_operations;
  if (std::popcount(relation) != 1 || std::popcount(join) > 1) return std::nullopt;
  Comparison found{static_cast<Flag>(std::countr_zero(relation)), Join::none};
  if (w.has(Flag::logical_and)) found.join = Join::logical_and;
  if (w.has(Flag::logical_or)) found.join = Join::logical_or;
  if (w.has(Flag::logical_xor)) found.join = Join::logical_xor;
  return found;
}

bool is_legal_relation(Flag relation, Type type) {
  const uint64_t one = flags(relation);
  switch (type) {
    case Type::b16:
    case Type::b32:
    case Type::b64:
      return (one & flags(Flag::eq, Flag::ne)) != 0;
    case Type::s16:
    case Type::s32:
    case Type::s64:
      return (one & integer_relations) != 0;
    case Type::u16:
    case Type::u32:
    case Type::u64:
      return (one & (integer_relations | unsigned_relations)) != 0;
    default:
      return (one & float_relations) != 0;
  }
}

}  // namespace assay::emulator::alu
