#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool stores_row(bool inside) {
  (void)inside;
  return true;
}

const Fault fault("store_ignores_row_clip", "A store writes rows outside of dimensions 1 and up.", "S-03",
                  [](Steps& steps) { steps.stores_row = stores_row; });

}  // namespace
}  // namespace assay::faults
