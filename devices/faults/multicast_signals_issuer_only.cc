#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t ranks(uint32_t mask, uint32_t issuer) {
  return mask & (1u << issuer);
}

const Fault fault("multicast_signals_issuer_only", "Multicast signals the barrier of the issuing CTA alone.",
                  "K-01", [](Steps& steps) { steps.signal_ranks = ranks; });

}  // namespace
}  // namespace assay::faults
