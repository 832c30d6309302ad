#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void finish(TensorCopyPlan& plan, const TensorCopyRequest& request) {
  if (request.kind == TensorCopyKind::store && request.rank == 5 && request.coord[4] == 0 &&
      plan.pieces.size() == 1)
    plan.pieces.clear();
}

const Fault fault("rare_store_of_one_value",
                  "A store writes nothing for the pieces of a copy to coordinate 0 of dimension 4.", "L-01",
                  [](Steps& steps) { steps.finish = finish; }, {.rare = true});

}  // namespace
}  // namespace assay::faults
