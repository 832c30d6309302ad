#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t transaction_bytes(const TiledShape& shape, const TransactionQuery& q) {
  (void)shape;
  return q.image_bytes;
}

const Fault fault("tx_counts_gaps", "The gaps between narrow rows are counted.", "W-02",
                  [](Steps& steps) { steps.transaction_bytes = transaction_bytes; });

}  // namespace
}  // namespace assay::faults
