#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(const Mbarrier& before, Mbarrier& after) {
  if (before.expected >= 3 && before.pending == 2 && after.pending == 1) after.pending = 2;
}

const Fault fault("barrier_arrival_lost",
                  "Of the arrivals of a phase the one that would complete it is lost now and then: where two "
                  "were pending, none is taken.",
                  "(ptx, mbarrier.arrive)", [](Steps& steps) { steps.barrier = change; });

}  // namespace
}  // namespace assay::faults
