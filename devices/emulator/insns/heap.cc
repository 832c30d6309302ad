// SPDX-License-Identifier: Apache-2.0
// malloc and free as nvcc's code calls them (CUDA Programming Guide, Dynamic Global Memory Allocation).
#include <sstream>

#include "devices/emulator/insns/builtin.h"
#include "devices/emulator/machine/launch.h"

namespace assay::emulator {

uint32_t execute_malloc(Step& step) {
  Launch& launch = step.cluster.launch;
  for_lanes(step.mask, [&](int lane) {
    set_call_result(step, lane, launch.heap.allocate(call_argument(step, 0, lane), launch.limits.heap_bytes));
  });
  return step.mask;
}

uint32_t execute_free(Step& step) {
  for_lanes(step.mask, [&](int lane) {
    const uint64_t address = call_argument(step, 0, lane);
    if (address == 0 || step.cluster.launch.heap.release(address)) return;
    std::ostringstream message;
    message << "free of 0x" << std::hex << address
            << ", which no malloc of a kernel returned or which is free again";
    step.fail(Diagnostic::Kind::illegal_address, lane, message.str());
  });
  return step.mask;
}

}  // namespace assay::emulator
