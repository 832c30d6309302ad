#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(const Mbarrier& before, Mbarrier& after) {
  const int32_t added = after.transactions - before.transactions;
  if (added > 0) after.transactions = before.transactions + (added & ~0x1000);
}

const Fault fault("barrier_expect_tx_truncated", "expect-tx drops bit 12 of the byte count.",
                  "(ptx, mbarrier.expect_tx)", [](Steps& steps) { steps.barrier = change; });

}  // namespace
}  // namespace assay::faults
