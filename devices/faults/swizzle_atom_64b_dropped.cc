#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t swizzle(const SwizzleQuery& q) {
  return q.kind == SwizzleKind::span_128_atom_64 ? q.address : honest_steps.swizzle(q);
}

const Fault fault("swizzle_atom_64b_dropped", "128B swizzle with 64-byte atoms moves nothing.",
                  "PTX 5.5.7, 128B 64B atom", [](Steps& steps) { steps.swizzle = swizzle; },
                  {.device = "sm_100a"});

}  // namespace
}  // namespace assay::faults
