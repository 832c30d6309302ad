#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t swizzle(const SwizzleQuery& q) {
  return q.kind == SwizzleKind::span_64 ? q.address ^ (q.address >> 3 & 0x10) : honest_steps.swizzle(q);
}

const Fault fault("swizzle_64b_bit_dropped", "64B swizzle uses one line bit of two.", "W-01",
                  [](Steps& steps) { steps.swizzle = swizzle; });

}  // namespace
}  // namespace assay::faults
