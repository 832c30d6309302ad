#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool rule(std::string_view id, bool holds) {
  return id == "V-18" || holds;
}

const Fault fault("encoder_traversal_range_unchecked", "The encoder takes traversal strides above 8.", "V-18",
                  [](Steps& steps) { steps.rule = rule; });

}  // namespace
}  // namespace assay::faults
