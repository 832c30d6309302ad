#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t swizzle(const SwizzleQuery& q) {
  return q.kind == SwizzleKind::span_128_atom_32_flip_8 ? q.address ^ (q.address >> 2 & 0x60)
                                                        : honest_steps.swizzle(q);
}

const Fault fault("swizzle_flip_8b_forgotten",
                  "128B swizzle with 32-byte atoms and 8-byte flip does not flip.", "PTX 5.5.7, 8B flip",
                  [](Steps& steps) { steps.swizzle = swizzle; }, {.device = "sm_100a"});

}  // namespace
}  // namespace assay::faults
