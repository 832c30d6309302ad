#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void finish(TensorCopyPlan& plan, const TensorCopyRequest& request) {
  if (request.kind == TensorCopyKind::prefetch) plan.pieces.clear();
}

const Fault fault(
    "prefetch_dropped", "A prefetch of a tensor fetches nothing.", "K-06",
    [](Steps& steps) { steps.finish = finish; },
    {.unobservable = "A prefetch brings lines into L2 and changes no memory that a program can read; "
                     "whether it was done shows in time alone, which no property measures."});

}  // namespace
}  // namespace assay::faults
