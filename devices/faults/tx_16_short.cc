#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t transaction_bytes(const TiledShape& shape, const TransactionQuery& q) {
  return honest_steps.transaction_bytes(shape, q) - 16;
}

const Fault fault("tx_16_short", "Sixteen bytes too few are counted.", "L-04",
                  [](Steps& steps) { steps.transaction_bytes = transaction_bytes; });

}  // namespace
}  // namespace assay::faults
