// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/special_registers.h"
#include "devices/emulator/machine/step.h"

// Special registers that move on while a warp runs: %clock, %clock_hi, %clock64, %globaltimer,
// %globaltimer_lo, %globaltimer_hi (ptx, Special Registers). One virtual clock in nanoseconds serves all; a
// cycle is a nanosecond.
namespace assay::emulator {
namespace {

template <int shift, uint64_t mask>
uint32_t read_clock(Step& step) {
  for_lanes(step.mask,
            [&](int lane) { step.set(step.operand(0), lane, step.cluster.clock >> shift & mask); });
  return step.mask;
}

}  // namespace

Execute find_changing_special_register(std::string_view name) {
  if (name == "%clock64" || name == "%globaltimer") return read_clock<0, ~0ull>;
  if (name == "%clock" || name == "%globaltimer_lo") return read_clock<0, 0xffffffff>;
  if (name == "%clock_hi" || name == "%globaltimer_hi") return read_clock<32, 0xffffffff>;
  return nullptr;
}

}  // namespace assay::emulator
