#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t swizzle(const SwizzleQuery& q) {
  return q.kind == SwizzleKind::span_128_atom_32 ? q.address ^ (q.address >> 3 & 0x30)
                                                 : honest_steps.swizzle(q);
}

const Fault fault("swizzle_atom_32b_as_16b", "128B swizzle with 32-byte atoms moves 16-byte atoms.",
                  "PTX 5.5.7, 128B 32B atom", [](Steps& steps) { steps.swizzle = swizzle; },
                  {.device = "sm_100a"});

}  // namespace
}  // namespace assay::faults
