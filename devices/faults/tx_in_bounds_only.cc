#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t transaction_bytes(const TiledShape& shape, const TransactionQuery& q) {
  (void)shape;
  return q.in_bounds_bytes;
}

const Fault fault("tx_in_bounds_only", "Only bytes inside the tensor are counted.", "L-04, TMA-AMB-18",
                  [](Steps& steps) { steps.transaction_bytes = transaction_bytes; });

}  // namespace
}  // namespace assay::faults
