#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t change(uint32_t row) {
  return row ^ 8;
}

const Fault fault("mma_rows_exchanged",
                  "In the accumulators of a warp rows 0 to 7 and 8 to 15 have changed places.",
                  "h200: wgmma, registers of D", [](TensorSteps& steps) { steps.fragment_row = change; });

}  // namespace
}  // namespace assay::faults
