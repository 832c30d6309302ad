#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t ranks(uint32_t mask, uint32_t issuer) {
  return mask | 1u << issuer;
}

const Fault fault("multicast_issuer_always",
                  "The CTA that issues a multicast gets the data though the mask leaves it out.", "K-01",
                  [](Steps& steps) { steps.data_ranks = ranks; });

}  // namespace
}  // namespace assay::faults
