// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/left_out.h"

#include <algorithm>
#include <string_view>

#include "devices/emulator/machine/step.h"

namespace assay::emulator {

bool only_synchronises(const Instruction& instruction) {
  if (instruction.opcode == nullptr || instruction.lane_op != nullptr) return false;
  constexpr std::string_view beginnings[] = {"fence",
                                             "membar",
                                             "bar.",
                                             "barrier.",
                                             "mbarrier.arrive",
                                             "mbarrier.expect",
                                             "mbarrier.test_wait",
                                             "mbarrier.try_wait",
                                             "cp.async.wait",
                                             "cp.async.commit",
                                             "cp.async.bulk.wait",
                                             "cp.async.bulk.commit",
                                             "cp.async.mbar",
                                             "wgmma.fence",
                                             "wgmma.commit",
                                             "wgmma.wait",
                                             "tcgen05.commit",
                                             "tcgen05.wait",
                                             "tcgen05.fence",
                                             "griddepcontrol"};
  const std::string_view text = instruction.opcode->text;
  const bool has_result = text.starts_with("bar") && text.find(".red") != text.npos;
  return !has_result && std::any_of(std::begin(beginnings), std::end(beginnings),
                                    [&](std::string_view one) { return text.starts_with(one); });
}

void leave_out(Instruction& instruction) {
  const bool is_test =
      instruction.opcode->text.find("_wait") != std::string::npos && instruction.opcode->base == "mbarrier";
  if (!is_test) {
    instruction.execute = [](Step& step) { return step.mask; };
    return;
  }
  instruction.execute = [](Step& step) {
    for_lanes(step.mask, [&](int lane) { step.set(step.operand(0), lane, 1); });
    return step.mask;
  };
}

}  // namespace assay::emulator
