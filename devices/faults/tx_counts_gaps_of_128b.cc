#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t transaction_bytes(const TiledShape& shape, const TransactionQuery& q) {
  return shape.span == 128 ? q.image_bytes : honest_steps.transaction_bytes(shape, q);
}

const Fault fault("tx_counts_gaps_of_128b", "The gaps between narrow rows are counted with 128B swizzle.",
                  "W-02", [](Steps& steps) { steps.transaction_bytes = transaction_bytes; });

}  // namespace
}  // namespace assay::faults
