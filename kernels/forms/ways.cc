// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/ways.h"

namespace assay::forms {
namespace {

std::string with(std::string text, std::string_view word, std::string_view value) {
  if (const size_t at = text.find(word); at != text.npos) text.replace(at, word.size(), value);
  return text;
}

}  // namespace

std::string in_way(Way way, std::string_view copy, std::string_view tile_operand,
                   std::string_view known_operand) {
  const std::string tile(tile_operand), known(known_operand);
  const auto has = [&](std::string_view word) { return copy.find(word) != copy.npos; };
  const auto statement = [&](std::string_view tile_as, std::string_view global_as,
                             std::string_view barrier_as) {
    return with(with(with(std::string(copy), "<tile>", tile_as), "<global>", global_as), "<barrier>",
                barrier_as) +
           ";";
  };
  // Registers so far beside the operands.
  const auto beside = [&](std::string_view operation, std::string_view bytes,
                          std::string_view bytes_of_barrier) {
    const auto one = [&](std::string_view word, std::string_view type, std::string_view to,
                         std::string_view from, std::string_view by) {
      return has(word) ? std::string(operation) + std::string(type) + std::string(to) + std::string(from) +
                             ", " + std::string(by) + "; "
                       : std::string();
    };
    return one("<tile>", ".s32 ", "r0, ", tile, bytes) + one("<global>", ".s64 ", "w1, ", "$global", bytes) +
           one("<barrier>", ".s32 ", "r1, ", "$bar", bytes_of_barrier);
  };
  const std::string plain = statement(tile, "$global", "$bar");
  switch (way) {
    case Way::below:
      return beside("add", "128", "8") + statement("r0+-128", "w1+-128", "r1+-8");
    case Way::above:
      return beside("sub", "4096", "64") + statement("r0+4096", "w1+4096", "r1+64");
    case Way::predicated:
      // The other one moves a tile that lies elsewhere; where both move, it comes last.
      return "add.s32 r0, " + tile + ", 128; setp.ne.u64 p1, " + known + ", 0; @p1 " + plain + " @!p1 " +
             statement("r0", "$global", "$bar");
    case Way::evict_last:
      return "createpolicy.fractional.L2::evict_last.b64 w0; " + plain;
    case Way::half_of_accesses:
      return "createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 w0, 0.5; " + plain;
    case Way::plain:
    case Way::evict_first:
    case Way::unnamed_mode:
    case Way::immediate:
      break;
  }
  return plain;
}

std::string_view hint_of(Way way) {
  return has_hint(way) ? ".L2::cache_hint" : "";
}
std::string_view policy_of(Way way) {
  return way == Way::evict_first ? ", $policy" : has_hint(way) ? ", w0" : "";
}

}  // namespace assay::forms
