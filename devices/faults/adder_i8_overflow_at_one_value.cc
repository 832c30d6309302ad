#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t change(const ElementResult& result) {
  return result.product->d_format->is_integer() && result.code == 0x7fffffff ? 0x7ffffffe : result.code;
}

const Fault fault("adder_i8_overflow_at_one_value", "A sum of exactly 2^31 - 1 is given as 2^31 - 2.",
                  "ADD-R10", [](TensorSteps& steps) { steps.result = change; }, {.rare = true});

}  // namespace
}  // namespace assay::faults
