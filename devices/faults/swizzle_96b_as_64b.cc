#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t swizzle(const SwizzleQuery& q) {
  return q.kind == SwizzleKind::span_96 ? q.address ^ (q.address >> 3 & 0x30) : honest_steps.swizzle(q);
}

const Fault fault("swizzle_96b_as_64b", "96B swizzle uses a second line bit, as 64B does.", "PTX 5.5.7, 96B",
                  [](Steps& steps) { steps.swizzle = swizzle; }, {.device = "sm_103a"});

}  // namespace
}  // namespace assay::faults
