#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t transaction_bytes(const TiledShape& shape, const TransactionQuery& q) {
  return shape.type_code == 12 ? q.padded_bytes : honest_steps.transaction_bytes(shape, q);
}

const Fault fault("tx_counts_padding_of_4bit", "The padding of b4x16_p64 is counted.", "TMA-AMB-33",
                  [](Steps& steps) { steps.transaction_bytes = transaction_bytes; }, {.device = "sm_100a"});

}  // namespace
}  // namespace assay::faults
