#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool rule(std::string_view id, bool holds) {
  return id == "V-13" || holds;
}

const Fault fault("encoder_stride_range_unchecked", "The encoder takes strides of 2^40 and above.", "V-13",
                  [](Steps& steps) { steps.rule = rule; });

}  // namespace
}  // namespace assay::faults
