#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t transaction_bytes(const TiledShape& shape, const TransactionQuery& q) {
  return q.in_bounds_bytes == 0 ? 0 : honest_steps.transaction_bytes(shape, q);
}

const Fault fault("tx_none_when_outside", "A box wholly outside the tensor is not counted.", "L-04",
                  [](Steps& steps) { steps.transaction_bytes = transaction_bytes; });

}  // namespace
}  // namespace assay::faults
