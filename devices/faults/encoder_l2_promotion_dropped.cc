#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint64_t encoded(const spec::Field& field, uint64_t value) {
  return field.name == "l2_promotion" ? 0 : value;
}

const Fault fault("encoder_l2_promotion_dropped", "The encoder drops the L2 promotion.",
                  "tensor map 0x08, 18:17", [](Steps& steps) { steps.encoded = encoded; });

}  // namespace
}  // namespace assay::faults
