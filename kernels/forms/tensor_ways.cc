// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/tensor_ways.h"

namespace assay::forms {
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
