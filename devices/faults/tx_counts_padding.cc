#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t transaction_bytes(const TiledShape& shape, const TransactionQuery& q) {
  (void)shape;
  return q.padded_bytes;
}

const Fault fault("tx_counts_padding", "The padding of packed types is counted.", "TMA-AMB-33",
                  [](Steps& steps) { steps.transaction_bytes = transaction_bytes; });

}  // namespace
}  // namespace assay::faults
