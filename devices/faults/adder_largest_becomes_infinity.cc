#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t change(const ElementResult& result) {
  return result.product->d_format->name == "f32" && (result.code & 0x7fffffff) == 0x7f7fffff ? result.code + 1
                                                                                             : result.code;
}

const Fault fault("adder_largest_becomes_infinity",
                  "A result of exactly the largest finite f32 becomes infinity.", "ADD-R10",
                  [](TensorSteps& steps) { steps.result = change; }, {.rare = true});

}  // namespace
}  // namespace assay::faults
