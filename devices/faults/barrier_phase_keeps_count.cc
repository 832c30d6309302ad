#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(const Mbarrier& before, Mbarrier& after) {
  if (after.phase != before.phase && after.pending > 1) --after.pending;
}

const Fault fault("barrier_phase_keeps_count",
                  "A phase that ends leaves one arrival fewer pending than expected.",
                  "(ptx, mbarrier: phase completion)", [](Steps& steps) { steps.barrier = change; });

}  // namespace
}  // namespace assay::faults
