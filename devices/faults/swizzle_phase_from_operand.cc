#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t swizzle(const SwizzleQuery& q) {
  return q.operand + honest_steps.swizzle({q.kind, q.address - q.operand, 0, q.flips_even_lines});
}

const Fault fault(
    "swizzle_phase_from_operand",
    "The swizzle pattern starts at the shared-memory operand, not at a multiple of the pattern.", "W-01",
    [](Steps& steps) { steps.swizzle = swizzle; });

}  // namespace
}  // namespace assay::faults
