#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t bytes(const TiledShape& shape, const TransactionQuery& query) {
  const uint32_t right = honest_steps.transaction_bytes(shape, query);
  for (const uint32_t extent : shape.box)
    if (extent == 256) return right - 16;
  return right;
}

const Fault fault("tx_box_of_256_short", "The transaction count is 16 short when a box extent is 256.",
                  "TMA-AMB-18", [](Steps& steps) { steps.transaction_bytes = bytes; });

}  // namespace
}  // namespace assay::faults
