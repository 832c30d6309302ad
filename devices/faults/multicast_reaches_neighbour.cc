#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t ranks(uint32_t mask, uint32_t issuer) {
  (void)issuer;
  const uint32_t next = (mask << 1) & ~mask;
  return mask | (next & 0x55);
}

const Fault fault("multicast_reaches_neighbour",
                  "Multicast reaches the rank after the highest of the mask too, if that is even.", "K-01",
                  [](Steps& steps) { steps.data_ranks = ranks; });

}  // namespace
}  // namespace assay::faults
