#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(const Mbarrier& before, Mbarrier& after) {
  after.expected = before.expected;
  if (after.phase != before.phase) after.pending = after.expected;
}

const Fault fault("barrier_drop_keeps_expected",
                  "mbarrier.arrive_drop arrives, but the next phase still expects the thread.",
                  "(ptx, mbarrier.arrive_drop)", [](Steps& steps) { steps.barrier = change; });

}  // namespace
}  // namespace assay::faults
