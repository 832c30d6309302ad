#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint64_t encoded(const spec::Field& field, uint64_t value) {
  return field.name == "box_dim" && field.index == 3 && value > 1 ? value - 1 : value;
}

const Fault fault("encoder_box_dim_3_off_by_one",
                  "The encoder writes a box extent one too small in dimension 3.", "tensor map 0x38",
                  [](Steps& steps) { steps.encoded = encoded; });

}  // namespace
}  // namespace assay::faults
