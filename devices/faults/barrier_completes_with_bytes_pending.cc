#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(const Mbarrier&, Mbarrier& after) {
  if (after.pending != 0 || after.transactions <= 0) return;
  after.phase = !after.phase;
  after.pending = after.expected;
}

const Fault fault("barrier_completes_with_bytes_pending",
                  "A phase ends when all have arrived, though bytes are still expected.",
                  "(ptx, mbarrier: phase completion)", [](Steps& steps) { steps.barrier = change; });

}  // namespace
}  // namespace assay::faults
