#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t change(const ElementResult& result) {
  return result.product->n == 256 && result.column == 255 && (result.code & 0x7fffffff) == 0
             ? result.code ^ 0x80000000
             : result.code;
}

const Fault fault("adder_last_column_of_widest",
                  "The last column of N = 256 is wrong in its sign where it is zero.", "ADD-R12",
                  [](TensorSteps& steps) { steps.result = change; }, {.rare = true});

}  // namespace
}  // namespace assay::faults
