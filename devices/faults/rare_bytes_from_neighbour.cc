#include "devices/faults/fault.h"
#include "devices/faults/rare.h"

namespace assay::faults {
namespace {

using namespace emulator;

void finish(TensorCopyPlan& plan, const TensorCopyRequest& request) {
  if (is_rare(request) && !plan.pieces.empty()) plan.pieces.front().shared_address ^= 16;
}

const Fault fault("rare_bytes_from_neighbour",
                  "One copy in 10,000 takes its first piece from the next 16 bytes of shared memory.", "L-01",
                  [](Steps& steps) { steps.finish = finish; }, {.rare = true});

}  // namespace
}  // namespace assay::faults
