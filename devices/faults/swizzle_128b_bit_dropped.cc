#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t swizzle(const SwizzleQuery& q) {
  return q.kind == SwizzleKind::span_128 ? q.address ^ (q.address >> 3 & 0x30) : honest_steps.swizzle(q);
}

const Fault fault("swizzle_128b_bit_dropped", "128B swizzle uses two line bits of three.", "W-01",
                  [](Steps& steps) { steps.swizzle = swizzle; });

}  // namespace
}  // namespace assay::faults
