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

namespace {

/// `operation` on each address comes in front, and `offset` takes it back.
std::string with_offsets(std::string_view instruction, std::string_view operation, std::string_view offset) {
  std::string prepared, text;
  uint32_t count = 0;
  for (;;) {
    const size_t at = instruction.find("[$");
    text += instruction.substr(0, at);
    if (at == instruction.npos) return prepared + text + ";";
    const size_t end = instruction.find(']', at);
    const std::string to = "r" + std::to_string(count++);
    prepared += std::string(operation) + " " + to + ", " +
                std::string(instruction.substr(at + 1, end - at - 1)) + ", 16; ";
    text += "[" + to + std::string(offset) + "]";
    instruction.remove_prefix(end + 1);
  }
}

}  // namespace

std::string in_tensor_way(TensorWay way, std::string_view instruction) {
  const std::string plain = std::string(instruction) + ";";
  if (way == TensorWay::plain) return plain;
  if (way == TensorWay::below) return with_offsets(instruction, "add.u32", "+-16");
  if (way == TensorWay::above) return with_offsets(instruction, "sub.u32", "+16");
  // The other one writes eight columns further on. A block has threads.
  std::string other = plain;
  const size_t at = plain.find("[$"), end = plain.find(']', at);
  const std::string address = plain.substr(at + 1, end - at - 1);
  other.replace(at + 1, address.size(), "r0");
  return "add.u32 r0, " + address + ", 8; mov.u32 r1, %ntid.x; setp.ne.u32 p1, r1, 0; @p1 " + plain +
         " @!p1 " + other;
}

}  // namespace assay::forms
