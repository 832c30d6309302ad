#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t ranks(uint32_t mask, uint32_t issuer) {
  (void)issuer;
  uint32_t kept = 0;
  for (uint32_t rest = mask; (rest & (rest - 1)) != 0; rest &= rest - 1) kept |= rest & -rest;
  return kept;
}

const Fault fault("multicast_skips_highest", "Multicast leaves out the highest rank of the mask.", "K-01",
                  [](Steps& steps) { steps.data_ranks = ranks; });

}  // namespace
}  // namespace assay::faults
