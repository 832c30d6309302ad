#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t swizzle(const SwizzleQuery& q) {
  return q.kind == SwizzleKind::span_32 ? q.address : honest_steps.swizzle(q);
}

const Fault fault("swizzle_32b_dropped", "32B swizzle moves nothing.", "W-01",
                  [](Steps& steps) { steps.swizzle = swizzle; });

}  // namespace
}  // namespace assay::faults
