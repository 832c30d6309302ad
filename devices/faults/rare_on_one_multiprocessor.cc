#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void finish(TensorCopyPlan& plan, const TensorCopyRequest& request) {
  if (request.sm == 3 && plan.pieces.size() > 1) plan.pieces.erase(plan.pieces.begin() + 1);
}

const Fault fault("rare_on_one_multiprocessor",
                  "Copies that multiprocessor 3 asks for lose the second of their pieces.", "L-01",
                  [](Steps& steps) { steps.finish = finish; }, {.rare = true});

}  // namespace
}  // namespace assay::faults
