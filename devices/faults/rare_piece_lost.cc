#include "devices/faults/fault.h"
#include "devices/faults/rare.h"

namespace assay::faults {
namespace {

using namespace emulator;

void finish(TensorCopyPlan& plan, const TensorCopyRequest& request) {
  if (is_rare(request) && !plan.pieces.empty()) plan.pieces.pop_back();
}

const Fault fault("rare_piece_lost", "One copy in 10,000 does not move its last piece.", "L-01",
                  [](Steps& steps) { steps.finish = finish; }, {.rare = true});

}  // namespace
}  // namespace assay::faults
